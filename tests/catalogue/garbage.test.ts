import { describe, test } from 'bun:test';
import fc from 'fast-check';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { fileOf, known, modelOf } from './fixtures.ts';

const parse = (text: string) => parseCatalogue(text, known);

describe('garbage', () => {
  /** Only a `DomainError` may be thrown, whatever the input is. */
  function parseAnything(text: string): void {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  test('is refused with a clear error: any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), parseAnything), {
      numRuns: 300,
    });
  });

  test('is refused with a clear error: any data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (providers, models) => {
        parseAnything(JSON.stringify({ providers, models }));
        parseAnything(JSON.stringify({ providers: { a: providers }, models: [models] }));
      }),
    );
  });

  test('is refused with a clear error: a good file with one part replaced', () => {
    const good = fileOf([modelOf(101, 'a', ', cost_input_tokens_rub: 5, fallbacks: [1]')]);
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.nat(20),
        fc.string({ unit: 'binary', maxLength: 10 }),
        (at, length, piece) => parseAnything(good.slice(0, at) + piece + good.slice(at + length)),
      ),
      { numRuns: 500 },
    );
  });
});
