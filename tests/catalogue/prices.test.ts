import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { fileOf, known, modelOf } from './fixtures.ts';

const parse = (text: string) => parseCatalogue(text, known);

describe('prices', () => {
  test('are exact whatever basis they are typed in', () => {
    const bases = [
      { per: 1, decimals: 12 },
      { per: 1_000, decimals: 9 },
      { per: 1_000_000, decimals: 6 },
    ];
    const amount = fc.integer({ min: 0, max: 100_000_000_000_000 });
    fc.assert(
      fc.property(
        fc.tuple(amount, amount, amount, amount),
        fc.constantFrom(...bases),
        fc.boolean(),
        ([input, output, inputFix, outputFix], { per, decimals }, quoted) => {
          const number = (value: number, scale: number) => {
            const text = decimalText(value, scale);
            return quoted ? JSON.stringify(text) : text;
          };
          const fields = [
            `cost_tokens_per: ${per}`,
            `cost_input_tokens_rub: ${number(input, decimals)}`,
            `cost_output_tokens_rub: ${number(output, decimals)}`,
            `cost_input_fix_rub: ${number(inputFix, 6)}`,
            `cost_output_fix_rub: ${number(outputFix, 6)}`,
          ];
          const [model] = parse(fileOf([modelOf(101, 'm', `, ${fields.join(', ')}`)])).models;
          expect(model?.facts.price).toEqual({
            inputTokens: input,
            outputTokens: output,
            inputFix,
            outputFix,
          });
        },
      ),
    );
  });

  test('survive a YAML writer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), (micro) => {
        const model = {
          id: 101,
          provider: 'sandbox',
          model: 'm',
          type: 'TEXT',
          max_input_tokens: 1,
          max_output_tokens: 1,
          cost_input_tokens_rub: micro / 1_000_000,
        };
        const [read] = parse(stringify({ models: [model] })).models;
        expect(read?.facts.price?.inputTokens).toBe(micro);
      }),
    );
  });

  test('are absent, which is not free', () => {
    const [free, none] = parse(
      fileOf([modelOf(101, 'a', ', cost_input_fix_rub: 0'), modelOf(102, 'b')]),
    ).models;
    expect(free?.facts.price).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      inputFix: 0,
      outputFix: 0,
    });
    expect(none?.facts.price).toBeNull();
  });
});

/** `value` / 10^decimals, written out without rounding. */
function decimalText(value: number, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
