/** The gateway's own wait before an attempt does not count as the provider's time. */
import { describe, expect, test } from 'bun:test';
import { attemptsToKeep } from '../../src/chat/commit/settle-rows.ts';
import type { Attempt } from '../../src/providers/index.ts';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, TEXT_MODEL } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

const WAIT_MS = 3_000;

interface Shown {
  attempts: { outcome: string; waited_ms: number | null; duration_ms: number }[];
}

for (const dialect of dialects) {
  test(`${dialect}: a send that waited for its turn reports the wait in its attempts and in the log`, async () => {
    const clock = stillClock();
    const logged: LogLine[] = [];
    await using world = await openWorld(dialect, {
      clock,
      log: recordingLog(logged, 'info'),
      providers: ({ baseUrl }) => ({
        scripted: { kind: 'openai', base_url: baseUrl, max_concurrent: 1 },
      }),
    });
    const { gateway, provider, user } = world;
    const [alice, bob, admin] = [await user(), await user(), await user({ isAdmin: true })];
    await provider.script('hold');
    const first = alice.send();
    await provider.held(1);
    const second = bob.send();
    const metrics = async () => (await gateway.fetch('/metrics')).text();
    while (!(await metrics()).includes('zastava_holds_open 2\n')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.forward(WAIT_MS);
    await provider.script('good');
    provider.release();
    await first;
    const { id } = await second;

    const about = { login: bob.login, message_id: id };
    const shown = await gateway.data<Shown>('/admin/attempts/', about, admin);
    expect(shown.attempts).toHaveLength(1);
    const [attempt] = shown.attempts;
    expect(attempt).toMatchObject({ waited_ms: WAIT_MS, duration_ms: 0 });
    const line = logged.find(({ msg, message, user: of }) => {
      return msg === 'request' && message === id && of === bob.userId;
    });
    expect(line).toMatchObject({ model: TEXT_MODEL, provider_ms: 0 });
    // The clock was moved while only the first send was at the provider.
    expect(await metrics()).toMatch(
      /zastava_model_call_duration_seconds_bucket\{le="1",model="101"\} 1\n/,
    );
  });
}

describe('attempts with a row of their own', () => {
  const attempt: Attempt = {
    provider: 'up',
    model: 'm',
    keyHint: null,
    startedAt: 2_000,
    waitedMs: 100,
    durationMs: 500,
    outcome: 'ok',
    status: null,
    cost: null,
    usage: null,
  };

  test('do not include a plain answer for which the gateway itself waited less than a second', () => {
    const times = { askedAt: 1_501, endedAt: 3_000, providerMs: 500 };
    expect(attemptsToKeep([attempt], times)).toEqual([]);
  });

  test('count the wait for the hold in that of the first attempt', () => {
    const times = { askedAt: 500, endedAt: 2_600, providerMs: 500 };
    expect(attemptsToKeep([attempt], times)).toEqual([{ ...attempt, waitedMs: 1_600 }]);
  });

  test('have no negative wait when the clock was set back', () => {
    const failed: Attempt = { ...attempt, outcome: 'failed', waitedMs: 0 };
    const times = { askedAt: 9_000, endedAt: 9_000, providerMs: 1_000 };
    expect(attemptsToKeep([failed, attempt], times)).toEqual([failed, attempt]);
  });
});
