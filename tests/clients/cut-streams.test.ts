/** A stream that breaks at the provider: every client ends in an error, and nothing is charged. */
import { describe, expect, test } from 'bun:test';
import { failure } from '../support/failure.ts';
import { expectBooksHold } from '../support/world.ts';
import { clientWorld, type Caller } from './caller.ts';
import { question, readAll } from './client.ts';
import { kinds } from './kinds.ts';
import { openAi } from './kinds/openai-chat.ts';

const world = clientWorld();
const deltas = Array.from({ length: 12 }, (_, i) => `слово ${i} `);

/** Makes one call for each of this many points between the first byte and the finish. */
async function atCutPoints(count: number, call: (point: string) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i++) {
    const how = i % 2 === 0 ? 'cut' : 'end';
    await world().provider.script({ deltas, breakAfter: { part: i / count, how } });
    await call(`${how} at ${i}/${count}`);
  }
  await world().provider.script('good');
}

/** Every call failed, costs nothing, and is in the history if failed messages are included. */
async function expectVoided(alice: Caller, count: number): Promise<void> {
  const items = await alice.apiHistory();
  expect(items.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'failed'));
  expect(new Set(items.map(({ error_code: code }) => code))).toEqual(new Set(['provider_error']));
  expect(await alice.charges()).toEqual([]);
  expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
  await expectBooksHold(world().gateway);
}

describe('a stream that breaks', () => {
  test('at any of 100 points is an error, chunk by chunk', async () => {
    const alice = await world().caller();
    const client = openAi(alice.dial);
    await atCutPoints(100, async (point) => {
      const chunks = async () => {
        const body = { model: 'mini', messages: [{ role: 'user' as const, content: 'Hi' }] };
        const stream = await client.chat.completions.create({ ...body, stream: true });
        const all = await Array.fromAsync(stream);
        return { point, all };
      };
      expect(await failure(chunks())).toBeInstanceOf(Error);
    });
    await expectVoided(alice, 100);
  }, 300_000);

  for (const { name, make } of kinds) {
    test(`is an error in ${name}`, async () => {
      const alice = await world().caller();
      const client = make(alice.dial);
      await atCutPoints(10, async () => {
        expect(await failure(readAll(client.stream(question('Hi'))))).toBeInstanceOf(Error);
      });
      await expectVoided(alice, 10);
    });
  }
});
