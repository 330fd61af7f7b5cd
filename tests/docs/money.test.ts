/** The costs in the worked example of docs/money.md are those that the product computes. */
import { expect, test } from 'bun:test';
import { costOf } from '../../src/ledger/index.ts';
import { parseRubles, toRubles } from '../../src/lib/money.ts';
import { priceFields } from '../../src/lib/price-fields.ts';
import { freePrice, tokenCounts, type UsedTokens } from '../../src/lib/units.ts';

interface Example {
  price: Record<string, number>;
  usage: Record<string, number>;
  cost_request: number;
  cost_response: number;
}

/** The amounts that the rows name, by their names in the code. Every name in the example must be in a row. */
function read(
  given: Record<string, number>,
  rows: readonly { code: string; name: string }[],
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const row = rows.find((each) => each.name === name);
      if (!row) throw new Error(`the example names ${name}, which does not exist`);
      return [row.code, value];
    }),
  );
}

test('the example costs what it says', async () => {
  const text = await Bun.file(`${import.meta.dir}/../../docs/money.md`).text();
  const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(text) ?? [];
  const { price, usage, ...costs } = Bun.YAML.parse(yaml) as Example;
  const rubles = read(
    price,
    priceFields.map(({ price: code, field: name }) => ({ code, name })),
  );
  const micro = Object.entries(rubles).map(([code, value]) => [code, parseRubles(value)]);
  const used = read(
    usage,
    tokenCounts.map(({ count: code, column: name }) => ({ code, name })),
  );
  const { request, response } = costOf(
    { ...freePrice, ...Object.fromEntries(micro) },
    used as unknown as UsedTokens,
  );
  expect(costs).toEqual({ cost_request: toRubles(request), cost_response: toRubles(response) });
});
