import { expect, test } from 'bun:test';
import { chore } from '../../src/lib/chore.ts';
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { movableClock } from '../support/clock.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

test('work that fails for a while is one line when it begins to fail, and one when it works again', async () => {
  const logged: LogLine[] = [];
  const clock = movableClock();
  let failure: Error | undefined = new Error('a broken row');
  const work = chore('the purge', { clock, log: recordingLog(logged) }, () =>
    failure ? Promise.reject(failure) : Promise.resolve(),
  );
  for (let times = 0; times < 3; times++) await work();
  expect(logged).toMatchObject([
    { level: 50, task: 'the purge', err: { message: 'a broken row' } },
  ]);
  clock.forward(90_000);
  failure = undefined;
  for (let times = 0; times < 3; times++) await work();
  expect(logged.slice(1)).toMatchObject([{ level: 40, task: 'the purge', seconds: 90 }]);
});

test('an outage of the database is left to the line about the outage', async () => {
  const logged: LogLine[] = [];
  const parts = { clock: movableClock(), log: recordingLog(logged) };
  const work = chore('the purge', parts, () =>
    Promise.reject(new DatabaseUnavailableError('away')),
  );
  await work();
  expect(logged).toEqual([]);
});
