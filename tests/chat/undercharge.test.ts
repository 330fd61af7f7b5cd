/** An answer that costs more than was charged appears in the log, in the metrics and in `reconcile`. */
import { describe, expect, test } from 'bun:test';
import { reconcile, type Finding } from '../../src/chat/index.ts';
import { toRubles } from '../../src/lib/money.ts';
import { steadyToday } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { eventsOf } from '../support/event-stream.ts';
import { exactCost } from '../support/rational.ts';
import { closed, micro, openWorld, TEXT_MODEL, type World } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

const CHEAP = 201;
const REASONER = 202;
const models = [
  { id: TEXT_MODEL },
  { id: CHEAP, model: 'cheap', cost_output_tokens_rub: 1, fallbacks: [TEXT_MODEL] },
  { id: REASONER, model: 'o3' },
];

async function opened(dialect: (typeof dialects)[number]) {
  const logged: LogLine[] = [];
  const world = await openWorld(dialect, { log: recordingLog(logged, 'info'), models });
  return {
    world,
    logged: () => logged.filter(({ msg }) => String(msg).startsWith('undercharged')),
  };
}

async function metric({ gateway, user }: World, line: string): Promise<number> {
  const admin = await user({ isAdmin: true });
  const headers = { authorization: `Bearer ${admin.token}` };
  const text = await (await gateway.fetch('/metrics', { headers })).text();
  const found = text.split('\n').find((one) => one.startsWith(line));
  return Number(found?.slice(line.length) ?? 0);
}

async function compare({ gateway }: World, csv: string) {
  async function* pieces() {
    yield csv;
  }
  await using result = await reconcile(gateway.core, pieces(), { providers: [], models: [] });
  const rows: Finding[] = await Array.fromAsync(result.findings('undercharged'));
  return { totals: result.totals.undercharged, rows };
}

for (const dialect of dialects) {
  describe(`${dialect}: an undercharge`, () => {
    test('by usage above the hold is logged, counted, and listed by reconcile', async () => {
      const day = await steadyToday();
      const { world, logged } = await opened(dialect);
      await using _ = world;
      const { provider, user } = world;
      const alice = await user();
      await provider.script({ id: 'fine', usage: { prompt_tokens: 5, completion_tokens: 1 } });
      await alice.send();
      const usage = { prompt_tokens: 20, completion_tokens: 9_000 };
      await provider.script({ id: 'lost', usage });
      const headers = { 'x-request-id': 'complaint-7' };
      const sent = await alice.send({ max_output_tokens: 10 }, { headers });
      const due = exactCost(1_000, 20, 133_333_333) + exactCost(2_000, 9_000, 266_666_667);
      const charged = micro(sent.cost_request) + micro(sent.cost_response);
      const lost = Number(due) - charged;
      expect(lost).toBeGreaterThan(2_000_000);
      expect(logged()).toMatchObject([
        {
          level: 40,
          request_id: 'complaint-7',
          user: alice.userId,
          message: sent.id,
          model: TEXT_MODEL,
          reason: 'above_hold',
          held_rub: toRubles(charged),
          lost_rub: toRubles(lost),
          prompt_tokens: 20,
          completion_tokens: 9_000,
        },
      ]);
      const labels = `{model="${TEXT_MODEL}",reason="above_hold"} `;
      expect(await metric(world, `zastava_undercharges_total${labels}`)).toBe(1);
      const rubles = `zastava_undercharged_rubles_total{model="${TEXT_MODEL}"} `;
      expect(await metric(world, rubles)).toBeCloseTo(toRubles(lost), 6);
      for (const csv of [
        `id,date,model,prompt_tokens,completion_tokens\nlost,${day},scripted-text,20,9000\n`,
        `date,model,prompt_tokens,completion_tokens\n${day},scripted-text,25,9001\n`,
      ]) {
        const { totals, rows } = await compare(world, csv);
        expect(totals).toEqual({ answers: 1, lost });
        expect(rows).toMatchObject([
          {
            kind: 'undercharged',
            userId: alice.userId,
            messageId: sent.id,
            providerMessageId: 'lost',
            model: 'scripted-text',
            ours: { charged, completionTokens: 9_000 },
            lost,
          },
        ]);
      }
    });

    test('is still listed with its fixed charge when the texts are erased, and none of an empty answer', async () => {
      const day = await steadyToday();
      const { world } = await opened(dialect);
      await using _ = world;
      const { gateway, provider, user } = world;
      const alice = await user();
      const usage = { prompt_tokens: 20, completion_tokens: 9_000 };
      const reasoning = { ...usage, completion_tokens_details: { reasoning_tokens: 9_000 } };
      for (const script of [{ usage }, { text: '', usage: reasoning }]) {
        await provider.script(script);
        await alice.send({ max_output_tokens: 10 });
      }
      const csv = `id,date,input_tokens\nnone,${day},1\n`;
      const before = await compare(world, csv);
      expect(before.totals.answers).toBe(2);
      const [answer = 0, empty = 0] = before.rows.map(({ lost }) => lost ?? 0);
      expect(answer - empty).toBe(2_000);
      await gateway.data<object>('/ai/room/delete/', { room_id: alice.room }, alice);
      expect(await compare(world, csv)).toEqual(before);
    });

    test('does not occur when a fallback answers at the lower price of the requested model', async () => {
      const day = await steadyToday();
      const { world, logged } = await opened(dialect);
      await using _ = world;
      const { provider, user } = world;
      const alice = await user();
      const usage = { prompt_tokens: 5, completion_tokens: 10 };
      await provider.script((_call, index) => (index === 0 ? '500' : { usage }));
      await alice.send({ ai: CHEAP, max_output_tokens: 10 });
      expect(logged()).toEqual([]);
      const csv = `date,model,prompt_tokens,completion_tokens\n${day},scripted-text,5,10\n`;
      expect((await compare(world, csv)).totals).toEqual({ answers: 0, lost: 0 });
    });

    test('of a stream whose hidden reasoning was not counted is logged and counted', async () => {
      const { world, logged } = await opened(dialect);
      await using _ = world;
      const { provider, user } = world;
      const alice = await user();
      await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
      const events = eventsOf(await alice.stream({ ai: REASONER }));
      for await (const { event } of events) if (event === 'delta') break;
      await provider.held(1);
      provider.cut();
      const item = await closed(alice);
      expect(logged()).toMatchObject([
        {
          user: alice.userId,
          message: Number(item.message_id),
          reason: 'not_counted',
          lost_rub: 0,
        },
      ]);
      const labels = `{model="${REASONER}",reason="not_counted"} `;
      expect(await metric(world, `zastava_undercharges_total${labels}`)).toBe(1);
    });
  });
}
