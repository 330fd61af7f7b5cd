/** What the operator pays: `cost:` and `rates:` of a catalogue file. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { formatChange } from '../../src/catalogue/index.ts';
import { rubleCost } from '../../src/catalogue/operator-cost.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { fileOf, known, modelOf, openCatalogue, priced, refusalOf } from './fixtures.ts';

const RATES = 'rates: { USD: { rub: 92.35, date: 2026-11-20 } }';
const fileWith = (cost: string, rates = RATES) =>
  fileOf([modelOf(101, 'm', `${priced(300)}, cost: ${cost}`)], rates);
const read = (cost: string, rates?: string) =>
  parseCatalogue(fileWith(cost, rates), known).models[0]?.facts.cost;
const problems = (cost: string, rates?: string) =>
  refusalOf(() => read(cost, rates)).details.map(({ path, message }) => `${path}: ${message}`);

describe('a cost', () => {
  test('in rubles needs no rate', () => {
    const cost = read('{ input_tokens: 20.5, output_tokens: 80, input_fix: 0.01 }', '');
    const amounts = {
      inputTokens: 20_500_000,
      outputTokens: 80_000_000,
      inputFix: 10_000,
      outputFix: 0,
    };
    expect(cost).toEqual({ currency: 'RUB', rate: 1_000_000, rateDate: null, amounts });
    expect(cost && rubleCost(cost)).toEqual(amounts);
  });

  test('takes the rate of its currency, or its own', () => {
    const shared = read('{ currency: USD, input_tokens: 1.25, output_tokens: 10 }');
    expect(shared).toMatchObject({ currency: 'USD', rate: 92_350_000, rateDate: '2026-11-20' });
    expect(shared && rubleCost(shared)).toMatchObject({
      inputTokens: 115_437_500,
      outputTokens: 923_500_000,
    });
    const own =
      '{ currency: EUR, rate: 101.5, rate_date: 2026-10-01, input_tokens: 1, tokens_per: 1000 }';
    const file = parseCatalogue(fileWith(own), known);
    const [model] = file.models;
    expect(model?.facts.cost).toMatchObject({
      rate: 101_500_000,
      amounts: { inputTokens: 1_000_000_000 },
    });
    // Nothing is in dollars now.
    expect(file.warnings).toEqual([expect.stringContaining('the cost of no model is in USD')]);
  });

  test('is exact in rubles, rounded once', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 10n });
    const rate = fc.bigInt({ min: 1n, max: 10n ** 8n });
    fc.assert(
      fc.property(amount, rate, (micros, rubles) => {
        const amounts = { inputTokens: Number(micros), outputTokens: 0, inputFix: 0, outputFix: 0 };
        const cost = { currency: 'USD', rate: Number(rubles), rateDate: '2026-11-20', amounts };
        const exact = (2n * micros * rubles + 1_000_000n) / 2_000_000n;
        expect(rubleCost(cost).inputTokens).toBe(Number(exact));
      }),
    );
  });

  test.each([
    ['{ currency: EUR, input_tokens: 1 }', 'currency: line 8: needs a rate'],
    ['{ currency: usd, input_tokens: 1 }', 'currency: line 8: must be three capital letters'],
    ['{ currency: USD }', 'cost: line 8: has no amount'],
    ['{ currency: USD, input: 1 }', 'input: line 8: unknown field'],
    ['{ currency: USD, input_tokens: -1 }', 'input_tokens: line 8: must not be negative'],
    ['{ currency: USD, cached_input_tokens: 1 }', 'needs input_tokens beside it'],
    ['{ rate: 90, input_tokens: 1 }', 'rate: line 8: rubles need no rate'],
    ['{ currency: EUR, rate: 90, input_tokens: 1 }', 'rate: line 8: needs rate_date'],
    ['{ currency: EUR, rate: 0, rate_date: 2026-11-20, input_tokens: 1 }', 'above 0'],
    ['{ currency: EUR, rate: 9, rate_date: 2026-13-20, input_tokens: 1 }', 'must be a day'],
    ['{ currency: EUR, rate: 99999, rate_date: 2026-11-20, input_tokens: 9999999 }', 'comes to'],
    ['{ long_context_above_tokens: 9, input_tokens: 1 }', 'needs long_input_tokens beside it'],
  ])('%p is refused by name', (cost, problem) => {
    expect(problems(cost).join('\n')).toContain(problem);
  });

  test('needs rates that can be read', () => {
    const dollars = '{ currency: USD, input_tokens: 1 }';
    expect(problems(dollars, 'rates: { USD: 92 }')[0]).toContain('must be a map of rub and date');
    expect(problems(dollars, 'rates: { USD: { rub: 0, date: 2026-11-20 } }')[0]).toContain(
      'above 0',
    );
    const rubles = 'rates: { RUB: { rub: 1, date: 2026-11-20 } }';
    expect(problems('{ input_tokens: 1 }', rubles)[0]).toContain('rubles need no rate');
  });
});

for (const dialect of dialects) {
  test(`${dialect}: a new rate is a new version, and the shown file changes nothing`, async () => {
    await using database = await openTestDatabase(dialect);
    const catalogue = await openCatalogue(database.db);
    const cost = '{ currency: USD, input_tokens: 1.25, output_tokens: 10 }';
    await catalogue.apply(fileWith(cost));
    const first = catalogue.get(101);
    expect(first?.operatorPrice).toMatchObject({ inputTokens: 115_437_500 });
    // Users see the price, but not what the operator pays.
    expect(JSON.stringify(first?.view)).not.toContain('92.35');
    const later = 'rates: { USD: { rub: 93, date: 2026-11-24 } }';
    const changes = await catalogue.apply(fileWith(cost, later));
    expect(changes.map(formatChange)).toEqual([
      'changed model 101 up/m: cost.rate 92.35 -> 93, cost.rate_date 2026-11-20 -> 2026-11-24',
    ]);
    expect(catalogue.get(101)?.versionId).not.toBe(first?.versionId);
    expect(catalogue.text()).toContain('rates:\n  USD:\n    rub: 93\n    date: 2026-11-24\n');
    expect(await catalogue.apply(catalogue.text(), { dryRun: true })).toEqual([]);
    expect(catalogue.show().models.find(({ id }) => id === 101)?.cost).toEqual({
      currency: 'USD',
      rate: 93,
      rate_date: '2026-11-24',
      input_tokens: 1.25,
      output_tokens: 10,
    });
  });
}
