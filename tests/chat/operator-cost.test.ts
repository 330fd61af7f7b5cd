/** What messages cost the operator: by the catalogue's costs, or as the provider reports it. */
import { describe, expect, test } from 'bun:test';
import type { CatalogueModel } from '../../src/catalogue/index.ts';
import { chargeForAnswer } from '../../src/chat/send/pricing.ts';
import { operatorCosts } from '../../src/chat/send/operator-cost.ts';
import { noUsage, type Attempt } from '../../src/providers/index.ts';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

const price = (input: number, output: number) => ({
  inputTokens: input * 1_000_000,
  outputTokens: output * 1_000_000,
  inputFix: 0,
  outputFix: 0,
});
const modelWith = (model: string, more: object) =>
  ({
    provider: 'up',
    model,
    price: price(10, 20),
    fallbacks: [],
    ...more,
  }) as unknown as CatalogueModel;
/** 92.5 rubles a dollar. */
const dollars = { currency: 'USD', rate: 92_500_000, rateDate: '2026-11-20', amounts: price(0, 0) };
const plain = modelWith('plain', { operatorPrice: price(1, 2), cost: dollars, fallbacks: [7] });
const other = modelWith('other', { operatorPrice: price(3, 4) });
const unknown = modelWith('unknown', { operatorPrice: null });

const attemptOf = (model: string, more: Partial<Attempt> = {}): Attempt => ({
  provider: 'up',
  model,
  keyHint: null,
  startedAt: 0,
  waitedMs: 0,
  durationMs: 1,
  outcome: 'ok',
  status: null,
  cost: null,
  usage: null,
  ...more,
});
const catalogue = { get: (id: number) => (id === 7 ? other : undefined) };
const costsOf = (served: CatalogueModel, attempts: Attempt[], answered?: number | null) =>
  operatorCosts({ catalogue } as never, { model: plain, askedAt: 0 }, served, attempts, answered);
const used = { ...noUsage, promptTokens: 10, completionTokens: 5 };

describe('the operator’s cost', () => {
  test('is that of the model that answered, whatever the user pays', () => {
    const counted = { ...used, totalTokens: 15, source: 'provider' as const };
    // The charge is the lower of the two prices, and cut to the hold.
    expect(chargeForAnswer(plain, other, counted, 7)).toMatchObject({
      request: 7,
      response: 0,
      operatorCost: 10 * 3 + 5 * 4,
    });
    expect(chargeForAnswer(plain, unknown, counted, 1_000).operatorCost).toBeNull();
  });

  test('adds what failed attempts used, each at the cost of its model', () => {
    const broken = attemptOf('plain', { outcome: 'failed', usage: used });
    const silent = attemptOf('plain', { outcome: 'timeout' });
    expect(costsOf(other, [broken, silent, attemptOf('other')], 50)).toEqual({
      total: 20 + 0 + 50,
      attempts: [20, 0, 50],
    });
    const failed = attemptOf('other', { outcome: 'failed', usage: used });
    expect(costsOf(other, [silent, failed])).toEqual({ total: 50, attempts: [0, 50] });
  });

  test('is what the provider reports, in rubles or in the currency of the model’s cost', () => {
    const rubles = attemptOf('plain', { cost: { amount: '0.1234567', currency: 'RUB' } });
    expect(costsOf(plain, [rubles], 20).total).toBe(123_457);
    const reported = attemptOf('plain', { cost: { amount: '0.002', currency: null } });
    expect(costsOf(plain, [reported], 20).total).toBe(185_000);
    // If the model has no currency, it is unknown which one is meant.
    const unclear = attemptOf('other', { cost: { amount: '0.002', currency: null } });
    expect(costsOf(other, [unclear], 20).total).toBe(20);
  });

  test('is unknown if that of any attempt is', () => {
    const stranger = attemptOf('retired', { outcome: 'failed', usage: used });
    expect(costsOf(plain, [stranger, attemptOf('plain')], 20)).toEqual({
      total: null,
      attempts: [null, 20],
    });
    expect(costsOf(unknown, [attemptOf('unknown')], null).total).toBeNull();
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: a message`, () => {
    const world = sharedWorld(dialect, {
      models: [
        { id: 101, fallbacks: [], cost: { input_tokens: 1000, output_tokens: 2000 } },
        { id: 204, model: 'm-first', fallbacks: [101] },
      ],
    });

    test('shows admins its cost and margin, after a plain answer and after a failure', async () => {
      const { gateway, provider, user } = world();
      const [admin, alice] = [await user({ isAdmin: true }), await user()];
      const shown = (id: number) =>
        gateway.data('/admin/attempts/', { login: alice.login, message_id: id }, admin);
      const script = { text: 'Hi', usage: { prompt_tokens: 10, completion_tokens: 5 } };
      await provider.script(script);
      const { id, cost_request: request, cost_response: response } = await alice.send();
      expect(await shown(id)).toMatchObject({
        charge: request + response,
        operator_cost: 0.02,
        margin: Number((request + response - 0.02).toFixed(6)),
        attempts: [{ outcome: 'ok', operator_cost: 0.02 }],
      });
      await provider.script(({ body }) => (body['model'] === 'm-first' ? '500' : script));
      const { id: second } = await alice.send({ ai: 204 });
      expect(await shown(second)).toMatchObject({
        operator_cost: 0.02,
        attempts: [
          { outcome: 'failed', operator_cost: 0 },
          { outcome: 'ok', operator_cost: 0.02 },
        ],
      });
    });
  });
}
