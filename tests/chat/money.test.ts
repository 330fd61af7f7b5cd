/** What a send costs, over HTTP, compared with integer arithmetic. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatRubles } from '../../src/lib/money.ts';
import { dialects } from '../support/databases.ts';
import { exactCost } from '../support/rational.ts';
import {
  catalogueOf,
  expectBooksHold,
  micro,
  sharedWorld,
  type Chatter,
  type ModelLine,
  type Sent,
} from '../support/world.ts';

/** Micro-rubles: input and output per 1,000,000 tokens, fix per request and per answer. */
type PriceRow = [input: number, output: number, inputFix: number, outputFix: number];

const priceRows: PriceRow[] = [
  [0, 0, 0, 0],
  [1, 1, 1, 1],
  // One token is exactly half a micro-ruble: rounded up.
  [500_000, 500_000, 0, 0],
  [499_999, 500_001, 0, 0],
  [333_333_333, 666_666_667, 7, 11],
  [100_000_000_000_000, 100_000_000_000_000, 0, 0],
  [25_000_000, 200_000_000, 0, 1_000_000],
];

const rubles = (amount: number): string => (amount / 1e6).toFixed(6);

const priced: ModelLine[] = priceRows.map(([input, output, inputFix, outputFix], row) => ({
  id: 201 + row,
  model: `price-${row}`,
  cost_input_tokens_rub: rubles(input),
  cost_output_tokens_rub: rubles(output),
  cost_input_fix_rub: rubles(inputFix),
  cost_output_fix_rub: rubles(outputFix),
}));

const charged = ({ cost_request, cost_response }: Sent): number =>
  micro(cost_request) + micro(cost_response);

for (const dialect of dialects) {
  describe(`${dialect}: the cost of a send`, () => {
    const world = sharedWorld(dialect, { models: priced });

    test('is the fixed price plus tokens by price, request and response each rounded once, as docs/money.md says', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1_000_000_000 });
      const row = fc.nat(priceRows.length - 1);
      const tokens = fc.oneof(fc.nat(40), fc.constantFrom(0, 1, 2, 3));
      await fc.assert(
        fc.asyncProperty(row, tokens, tokens, async (index, prompt, completion) => {
          const [input, output, inputFix, outputFix] = priceRows[index] as PriceRow;
          const usage = { prompt_tokens: prompt, completion_tokens: completion };
          await provider.script({ usage });
          const before = (await alice.funds()).balance;
          const message = 'x'.repeat(24);
          const sent = await alice.send({ ai: 201 + index, message, max_output_tokens: 40 });
          expect(BigInt(micro(sent.cost_request))).toBe(exactCost(inputFix, prompt, input));
          expect(BigInt(micro(sent.cost_response))).toBe(exactCost(outputFix, completion, output));
          expect(micro(sent.balance)).toBe(before - charged(sent));
          expect((await alice.funds()).balance).toBe(micro(sent.balance));
          const [item] = await alice.history({ limit: 1 });
          expect(item?.cost_request).toBe(sent.cost_request);
          expect(item?.cost_response).toBe(sent.cost_response);
          expect(sent.warnings).toEqual([]);
        }),
        { numRuns: 60 },
      );
      await expectBooksHold(gateway);
    }, 300_000);

    test('is never above the estimate, which is what is held', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1_000_000_000 });
      const count = fc.oneof(fc.nat(2_000), fc.constantFrom(0, 10 ** 9));
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            ai: fc.integer({ min: 201, max: 200 + priceRows.length }),
            message: fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `a${text}`),
            system_prompt: fc.string(),
            chat_depth: fc.nat(3),
            max_output_tokens: fc.integer({ min: 1, max: 1_000 }),
          }),
          count,
          count,
          async (body, prompt, completion) => {
            const usage = { prompt_tokens: prompt, completion_tokens: completion };
            const { cost_max } = await gateway.data<{ cost_max: number }>(
              '/ai/estimate/',
              { room_id: alice.room, ...body },
              alice,
            );
            let held = -1;
            await provider.script(async () => {
              ({ held } = await alice.funds());
              return { usage };
            });
            const sent = await alice.send(body);
            expect(held).toBe(micro(cost_max));
            expect(charged(sent)).toBeLessThanOrEqual(held);
            expect(sent.usage).toMatchObject(usage);
            const [input, output, inputFix, outputFix] = priceRows[body.ai - 201] as PriceRow;
            const due =
              exactCost(inputFix, prompt, input) + exactCost(outputFix, completion, output);
            // The cut part is marked; the other part is charged to the last micro-ruble.
            if (due > BigInt(held)) expect(sent.warnings).toHaveLength(1);
            else expect(BigInt(charged(sent))).toBe(due);
          },
        ),
        { numRuns: 40 },
      );
      await expectBooksHold(gateway);
    }, 300_000);
  });

  describe(`${dialect}: usage reported by the provider`, () => {
    const world = sharedWorld(dialect);

    test('above the allowed tokens: the charge is the hold, cost_response is cut first, usage stays as reported', async () => {
      const { provider, user } = world();
      const alice = await user();
      const usage = { prompt_tokens: 90, completion_tokens: 400, total_tokens: 490 };
      await provider.script({ usage });
      const body = { message: 'x'.repeat(14), max_output_tokens: 40 };
      const sent = await alice.send(body);
      await provider.script('good');
      // Held for 14 + 16 bytes and 40 tokens.
      const request = Number(exactCost(1_000, 90, 133_333_333));
      const held = exactCost(1_000, 30, 133_333_333) + exactCost(2_000, 40, 266_666_667);
      expect(charged(sent)).toBe(Number(held));
      expect(micro(sent.cost_request)).toBe(request);
      expect(micro(sent.cost_response)).toBe(Number(held) - request);
      expect(sent.usage).toEqual({ ...usage, source: 'provider' });
      expect(sent.warnings).toEqual([expect.stringContaining('cut to the amount held')]);
      const [item] = await alice.history();
      expect(item).toMatchObject({ usage_total_tokens: '490', usage_completion_tokens: '400' });
      expect(await alice.charges()).toEqual([Number(held)]);
    });

    test('far above all bounds: the request alone takes the hold', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const usage = { prompt_tokens: 10 ** 9, completion_tokens: 10 ** 9 };
      await provider.script({ usage });
      for (let i = 0; i < 3; i++) {
        const sent = await alice.send({ max_output_tokens: 1 });
        expect(sent.cost_response).toBe(0);
        expect(sent.usage).toMatchObject(usage);
      }
      await provider.script('good');
      // Reports add up such numbers.
      await gateway.data<object>('/account/usage/', {}, alice);
      expect(await alice.history()).toHaveLength(3);
      await expectBooksHold(gateway);
    });

    test('absent: it is estimated, and marked', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ usage: null, text: 'one two three' });
      const sent = await alice.send({ message: 'Hello there', system_prompt: 'Be brief' });
      await provider.script('good');
      expect(sent.usage.source).toBe('estimated');
      const { prompt_tokens, completion_tokens, total_tokens } = sent.usage;
      expect(completion_tokens).toBe(3);
      expect(prompt_tokens).toBeGreaterThanOrEqual(4);
      expect(prompt_tokens).toBeLessThanOrEqual('Hello thereBe brief'.length + 32);
      expect(total_tokens).toBe(prompt_tokens + completion_tokens);
      expect(BigInt(charged(sent))).toBe(
        exactCost(1_000, prompt_tokens, 133_333_333) +
          exactCost(2_000, completion_tokens, 266_666_667),
      );
      expect((await alice.history())[0]?.usage_source).toBe('estimated');
    });

    test('absent, with a text above the cap: the warning does not blame the provider', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ usage: null, text: 'one two '.repeat(20) });
      const sent = await alice.send({ max_output_tokens: 1 });
      await provider.script('good');
      expect(sent.usage.source).toBe('estimated');
      const warning = 'the usage is more than was allowed; the charge was cut to the amount held';
      expect(sent.warnings).toEqual([warning]);
    });

    test('partial, or with a value that is not a count: that part is estimated', async () => {
      const { provider, user } = world();
      const alice = await user();
      const counted: [Record<string, unknown>, 'provider' | 'estimated'][] = [
        [{ prompt_tokens: 5, completion_tokens: 1 }, 'provider'],
        [{ prompt_tokens: 5 }, 'estimated'],
        [{ completion_tokens: 1 }, 'estimated'],
        [{ total_tokens: 6 }, 'estimated'],
        [{ prompt_tokens: -5, completion_tokens: 1 }, 'estimated'],
        [{ prompt_tokens: 1.5, completion_tokens: 1 }, 'estimated'],
        [{ prompt_tokens: '5', completion_tokens: 1 }, 'estimated'],
        [{ prompt_tokens: null, completion_tokens: null }, 'estimated'],
        [{ prompt_tokens: 1e300, completion_tokens: 1 }, 'estimated'],
        [{ prompt_tokens: 2 ** 53 - 1, completion_tokens: 1 }, 'estimated'],
      ];
      for (const [usage, source] of counted) {
        await provider.script({ usage });
        const sent = await alice.send();
        expect([usage, sent.usage.source]).toEqual([usage, source]);
        expect(charged(sent)).toBeGreaterThan(3_000);
      }
      await provider.script('good');
    });

    test('zero: a reported zero counts as zero', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ usage: { prompt_tokens: 0, completion_tokens: 0 } });
      const sent = await alice.send();
      await provider.script('good');
      expect(sent).toMatchObject({ cost_request: 0.001, cost_response: 0.002 });
      expect(sent.usage).toMatchObject({ total_tokens: 0, source: 'provider' });
      expect((await alice.history())[0]?.usage_prompt_tokens).toBe('0');
    });

    test('of an empty answer: only reported usage is charged, without the fixed price of an answer', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ text: '', usage: { prompt_tokens: 6, completion_tokens: 3 } });
      const counted = await alice.send();
      expect(counted.response).toBe('');
      expect(BigInt(micro(counted.cost_request))).toBe(exactCost(1_000, 6, 133_333_333));
      expect(BigInt(micro(counted.cost_response))).toBe(exactCost(0, 3, 266_666_667));
      await provider.script({ text: '', usage: null });
      expect(await alice.send()).toMatchObject({ cost_request: 0, cost_response: 0 });
      await provider.script('good');
      expect(await alice.charges()).toHaveLength(1);
    });

    test('of refused content: only reported usage is charged', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const error = { message: 'no', code: 'content_policy_violation' };
      await provider.script({ status: 400, body: { error } });
      expect(await alice.code()).toBe('content_refused');
      expect(await alice.charges()).toEqual([]);
      const usage = { prompt_tokens: 6, completion_tokens: 0 };
      await provider.script({ text: '', usage, finishReason: 'content_filter' });
      const charge = Number(exactCost(1_000, 6, 133_333_333));
      expect((await alice.trySend()).body.error).toMatchObject({
        code: 'content_refused',
        message: expect.stringContaining(`was charged: ${formatRubles(charge)}`),
      });
      await provider.script('good');
      expect(await alice.charges()).toEqual([charge]);
      const items = await alice.history({ include_failed: true });
      expect(items.map(({ state, error_code }) => [state, error_code])).toEqual([
        ['failed', 'content_refused'],
        ['failed', 'content_refused'],
      ]);
      expect(items.map(({ usage_source }) => usage_source)).toEqual(['', 'provider']);
      expect([micro(items[1]?.cost_request ?? 0)]).toEqual(await alice.charges());
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('of an image: the fixed price and the tokens are charged', async () => {
      const alice = await world().user();
      const sent = await alice.send({ ai: 103, message: 'a red pixel' });
      expect(BigInt(micro(sent.cost_request))).toBe(exactCost(10_000, 3, 133_333_333));
      expect(BigInt(micro(sent.cost_response))).toBe(exactCost(500_000, 1, 266_666_667));
    });

    test('of embeddings: no output tokens are held or charged', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      let held = -1;
      await provider.script(async () => {
        ({ held } = await alice.funds());
        return { usage: { prompt_tokens: 2 } };
      });
      const { token } = alice;
      const answer = await gateway.fetch('/v1/embeddings', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ model: '101', input: 'Hi' }),
      });
      await provider.script('good');
      expect(answer.status).toBe(200);
      expect(BigInt(held)).toBe(exactCost(1_000, 2 + 16, 133_333_333) + 2_000n);
      expect(await alice.charges()).toEqual([Number(exactCost(1_000, 2, 133_333_333)) + 2_000]);
    });

    test('absent for an image: texts that were not sent to the model are not counted', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ usage: null });
      const plain = await alice.send({ ai: 103, message: 'a red pixel' });
      const system_prompt = 'Be brief, and paint as if you were paid by the pixel';
      const more = await alice.send({ ai: 103, message: 'a red pixel', system_prompt });
      await provider.script('good');
      expect(more.usage).toEqual(plain.usage);
      expect(plain.usage.source).toBe('estimated');
    });
  });

  describe(`${dialect}: what can be spent`, () => {
    const world = sharedWorld(dialect, {
      models: [
        { id: 101, fallbacks: [] },
        // 0.001 ₽ per output token, nothing else.
        ...[
          { id: 102, max_output_tokens: 1_000 },
          { id: 104, max_output_tokens: 200 },
        ].map((model) => ({
          ...model,
          cost_input_tokens_rub: 0,
          cost_output_tokens_rub: 1_000,
          cost_input_fix_rub: 0,
          cost_output_fix_rub: 0,
        })),
        { id: 106, model: 'dear', cost_output_tokens_rub: 500, fallbacks: [107] },
        { id: 107, model: 'cheap', cost_output_tokens_rub: 50, fallbacks: [106] },
        {
          id: 111,
          cost_input_tokens_rub: undefined,
          cost_output_tokens_rub: undefined,
          cost_input_fix_rub: undefined,
          cost_output_fix_rub: undefined,
        },
      ],
    });
    const capAtProvider = () => world().provider.calls.at(-1)?.body['max_tokens'];

    test('without max_output_tokens the largest affordable cap is used, and a warning names it', async () => {
      const alice = await world().user({ credit: 0.3 });
      const sent = await alice.send({ ai: 102 });
      expect(capAtProvider()).toBe(300);
      expect(sent.warnings).toEqual([expect.stringContaining('300')]);
      expect(sent.warnings[0]).toContain('max_output_tokens');
    });

    test('the default cap applies if the balance covers it', async () => {
      const alice = await world().user({ credit: 1 });
      const sent = await alice.send({ ai: 102 });
      expect([capAtProvider(), sent.warnings]).toEqual([1_000, []]);
    });

    test('a cap below 256, or one in the request, is not lowered: the 402 names all amounts', async () => {
      const edge = await world().user({ credit: 0.256 });
      await edge.send({ ai: 102 });
      expect(capAtProvider()).toBe(256);
      const calls = world().provider.calls.length;
      const cases: [credit: number, body: object, needed: number, affordable: number][] = [
        [0.255, { ai: 102 }, 1, 255],
        [0.3, { ai: 102, max_output_tokens: 301 }, 0.301, 300],
        [0.1, { ai: 104 }, 0.2, 100],
        [0, { ai: 102 }, 1, 0],
      ];
      for (const [credit, body, needed, affordable] of cases) {
        const alice = await world().user({ credit });
        const { status, body: answer } = await alice.trySend(body);
        expect([status, answer.error?.code]).toEqual([402, 'insufficient_funds']);
        expect(answer.error).toMatchObject({
          needed,
          available: credit,
          max_output_tokens: affordable,
        });
        expect(answer.error?.details).toEqual([
          { path: 'needed', message: String(needed) },
          { path: 'available', message: String(credit) },
          { path: 'max_output_tokens', message: String(affordable) },
        ]);
        expect(await alice.funds()).toMatchObject({ balance: micro(credit), held: 0 });
        expect(await alice.history({ include_failed: true })).toEqual([]);
        // If the error says that the balance covers a cap, it must do so.
        if (affordable > 0) await alice.send({ ...body, max_output_tokens: affordable });
      }
      expect(world().provider.calls.length).toBe(calls + 3);
    });

    test('a credit limit lets the balance go below zero, down to the limit', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 0 });
      await gateway.core.ledger.setCreditLimit(alice.userId, 500_000);
      await provider.script({ usage: { prompt_tokens: 0, completion_tokens: 400 } });
      const sent = await alice.send({ ai: 102, max_output_tokens: 500 });
      await provider.script('good');
      expect(sent.balance).toBe(-0.4);
      expect(await alice.code({ ai: 102, max_output_tokens: 101 })).toBe('insufficient_funds');
      await alice.send({ ai: 102, max_output_tokens: 100 });
      await expectBooksHold(gateway);
    });

    test('with a fallback the charge is the lower of the two prices', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const usage = { prompt_tokens: 10, completion_tokens: 10 };
      for (const requested of [106, 107]) {
        const name = requested === 106 ? 'dear' : 'cheap';
        await provider.script(({ body }) => (body['model'] === name ? '500' : { usage }));
        const sent = await alice.send({ ai: requested });
        expect(sent.ai.id).toBe(requested === 106 ? 107 : 106);
        expect(BigInt(micro(sent.cost_response))).toBe(exactCost(2_000, 10, 50_000_000));
      }
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('a model without a price costs its admin nothing', async () => {
      const { gateway, user } = world();
      const admin = await user({ isAdmin: true, credit: 0 });
      const sent = await admin.send({ ai: 111 });
      expect([sent.cost_request, sent.cost_response, sent.balance]).toEqual([0, 0, 0]);
      expect(await admin.charges()).toEqual([]);
      await expectBooksHold(gateway);
    });
  });

  describe(`${dialect}: events during a send`, () => {
    const world = sharedWorld(dialect);

    /** A send that waits for the provider while `meanwhile` happens. */
    async function during(
      alice: Chatter,
      body: object,
      meanwhile: () => Promise<unknown>,
    ): Promise<Sent> {
      const { provider } = world();
      await provider.script('hold');
      const sending = alice.send(body);
      await provider.held(1);
      await meanwhile();
      await provider.script('good');
      provider.release();
      return sending;
    }

    test('the client disconnects: a plain send is charged nevertheless, and is in the history', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const leaving = new AbortController();
      const sending = fetch(`${gateway.listen()}/ai/send/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
        body: JSON.stringify({ room_id: alice.room, ai: 101, message: 'Hi' }),
        signal: leaving.signal,
      }).catch(() => 'gone');
      await provider.held(1);
      leaving.abort();
      expect(await sending).toBe('gone');
      await provider.script('good');
      provider.release();
      expect(await provider.calls.at(-1)?.ended).toBe('answered');
      while ((await alice.funds()).held > 0) await new Promise((resume) => setTimeout(resume, 2));
      expect(await alice.history()).toMatchObject([{ response: 'echo: Hi', state: 'done' }]);
      expect(await alice.charges()).toHaveLength(1);
      await expectBooksHold(gateway);
    });

    /** How many images have stored bytes. */
    async function storedImages(): Promise<number> {
      const { core, dataDir } = world().gateway;
      const files = new Bun.Glob('images/**/*.png').scan({ cwd: dataDir });
      const rows = await core.db.query('SELECT id FROM image_bytes');
      return rows.length + (await Array.fromAsync(files)).length;
    }

    test('the room is deleted: the send is charged, and no text is kept', async () => {
      const { gateway, user } = world();
      const images = await storedImages();
      for (const ai of [101, 103]) {
        const alice = await user();
        const secret = `secret ${ai}`;
        const key = { headers: { 'idempotency-key': 'k' } };
        const sender = { ...alice, send: (body: object = {}) => alice.send(body, key) };
        const sent = await during(sender, { ai, message: secret }, () =>
          gateway.data<object>('/ai/room/delete/', { room_id: alice.room }, alice),
        );
        expect(await alice.charges()).toEqual([charged(sent)]);
        const kept = [
          await gateway.core.db.query('SELECT * FROM messages WHERE user_id = $1', [alice.userId]),
          await gateway.core.db.query('SELECT * FROM idempotency_keys WHERE user_id = $1', [
            alice.userId,
          ]),
          await gateway.core.db.query('SELECT * FROM images WHERE user_id = $1', [alice.userId]),
        ];
        expect(JSON.stringify(kept)).not.toContain(secret);
        expect(kept[0]).toMatchObject([{ response: '', image_id: null }]);
        expect(kept[2]).toEqual([]);
        if (ai === 103) {
          const path = new URL(sent.response).pathname;
          expect((await gateway.fetch(path)).status).toBe(404);
          expect(await storedImages()).toBe(images);
        }
        await gateway.data<object>('/ai/room/', { room_id: alice.room }, alice);
        expect(await alice.history({ include_failed: true })).toEqual([]);
      }
      await expectBooksHold(gateway);
    });

    test('the user is blocked: running sends end and are charged, and no new one begins', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const sent = await during(alice, {}, () => gateway.core.users.setBlocked(alice.userId, true));
      expect(await alice.charges()).toEqual([charged(sent)]);
      expect(await alice.code()).toBe('user_blocked');
      await expectBooksHold(gateway);
    });

    test('the price changes: the send keeps the price of its hold', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const dearer = catalogueOf(provider, [{ id: 101, cost_output_tokens_rub: 900 }]);
      const sent = await during(alice, {}, () => gateway.core.catalogue.apply(dearer));
      expect(BigInt(micro(sent.cost_response))).toBe(
        exactCost(2_000, sent.usage.completion_tokens, 266_666_667),
      );
      expect(sent.ai.cost_output_tokens_rub).toBe(266.666667);
      const next = await alice.send();
      expect(next.ai.cost_output_tokens_rub).toBe(900);
      expect((await alice.history()).map(({ ai }) => ai)).toEqual([sent.ai, next.ai]);
      await gateway.core.catalogue.apply(catalogueOf(provider));
      await expectBooksHold(gateway);
    });

    test('the balance is withdrawn: the held part stays', async () => {
      const { gateway, user } = world();
      const alice = await user({ credit: 1 });
      await during(alice, {}, async () => {
        const { available, held } = await alice.funds();
        expect(held).toBeGreaterThan(0);
        const note = { reason: 'test', madeBy: 'test' };
        await gateway.core.ledger.credit(alice.userId, -available, note);
        expect(gateway.core.ledger.credit(alice.userId, -1, note)).rejects.toThrow('available');
      });
      expect((await alice.funds()).balance).toBeGreaterThanOrEqual(0);
      await expectBooksHold(gateway);
    });
  });
}
