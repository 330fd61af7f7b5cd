/** Each sentence about a catalogue that the page may show has a Russian translation. */
import { describe, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { parseSync, Visitor } from 'oxc-parser';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { catalogueInRussian } from '../../src/catalogue/index.ts';
import { ofFiles } from '../../src/catalogue/words/file.ru.ts';
import { ofImports } from '../../src/catalogue/words/import.ru.ts';
import { ofModels } from '../../src/catalogue/words/models.ru.ts';
import { known, refusalOf } from './fixtures.ts';

/** Files whose texts the page never shows: SQL, descriptions, log lines, texts of commands and other interfaces. */
const notShown =
  /words\/|migrate\/|store\.ts|presets\.ts|example\.ts|modality\.ts|snapshot\.ts|versions\.ts|sources\.ts|file-import\.ts/;
/**
 * Texts that need no translation: those of the log, of `text`, and of errors that are bugs of the product; and the
 * templates of combined texts.
 */
const others = new Set([
  'catalogue changed by another process',
  'catalogue applied',
  'price set',
  'prices imported',
  'catalogue synchronised',
  'the thread of catalogues failed: 7',
  'the catalogue was refused:',
  '(no provider)',
  // Refunds after an incident.
  'there is no model 7',
  // Rows that are skipped are only counted.
  'its provider was not requested',
  '7 has no such model: --add 7 adds it',
  'provider of the catalogue',
  // Templates: the texts that are put into them are tested below.
  'the file must have the fields providers and models 7',
  'the field models is missing 7',
  'is empty 7',
  'must be 7',
  'the model in line 7 has the same 7',
  '7 keeps a stored key or header, but this provider has none stored for this kind, address and options: write the key or ${NAME}',
  'the catalogue was refused7: 7',
  'more than 7 models',
  'it has 7',
  'its mode is 7, which is not supported7',
  '; it is priced 7',
  'it is priced 7',
  'changes more than 7 models at once: 7',
]);
/** A sentence, or the sentences that may contain a part. */
const frames: readonly ((part: string) => string)[] = [
  (part) => part,
  (part) => `must be ${part}`,
  (part) => `7${part}`,
  (part) => `it has ${part}`,
  (part) => `it is priced ${part}`,
  (part) => `the field models is missing ${part}`,
  (part) => `the model in line 7 has the same ${part}`,
  (part) => `add: ${part}`,
  (part) => `markup: ${part}`,
  (part) => `usd-rate: ${part}`,
  (part) => `list: changes more than 7 models at once: ${part}`,
  (part) => `the catalogue was refused${part}: 7`,
  (part) => `its mode is 7, which is not supported${part}`,
  (part) => `the list has it as ${part}, not as 7`,
  (part) => `it costs more above 7 input tokens, and accepts ${part}`,
  (part) => `${part}: lower its max_input_tokens, or take both prices with --long-context both`,
  (part) => part.replace(/^7/, 'it costs more above 7 input tokens, and accepts 7'),
  (part) => part.replace(/^7: |7$/, 'is missing: '),
];

async function textsOfCode(): Promise<Set<string>> {
  const texts = new Set<string>();
  const note = (text: string) => /[a-z] [a-z]/.test(text) && texts.add(text);
  const folder = `${import.meta.dir}/../../src/catalogue`;
  for await (const file of new Glob('**/*.ts').scan(folder)) {
    if (notShown.test(file)) continue;
    const { program } = parseSync(file, await Bun.file(`${folder}/${file}`).text());
    new Visitor({
      Literal: ({ value }) => typeof value === 'string' && note(value),
      TemplateLiteral: ({ quasis }) => note(quasis.map(({ value }) => value.cooked).join('7')),
    }).visit(program);
  }
  return texts;
}

const isRussian = (text: string) => /[а-я]/i.test(text);

describe('the sentences of catalogues', () => {
  test('have a Russian translation each', async () => {
    const all = await textsOfCode();
    expect([...others].filter((text) => !all.has(text))).toEqual([]);
    const texts = [...all].filter((text) => !others.has(text));
    expect(texts.length).toBeGreaterThan(120);
    const missing = texts.filter((text) => {
      const translated = frames.map((frame) => catalogueInRussian(frame(text)));
      return !translated.some((russian) => isRussian(russian) && !russian.includes(text));
    });
    expect(missing, 'translate these in src/catalogue/words').toEqual([]);
  });

  test('have the values of the English ones', () => {
    const valuesOf = (text: string) => (text.match(/(?<!\$)\{[a-z]+\}/g) ?? []).toSorted();
    for (const [sentence, russian] of Object.entries({ ...ofFiles, ...ofModels, ...ofImports })) {
      expect([sentence, valuesOf(russian)]).toEqual([sentence, valuesOf(sentence)]);
    }
  });

  test.each([
    [
      'unknown kind (did you mean openai?): must be one of openai, anthropic',
      'неизвестный вид (может быть, openai?): нужно одно из: openai, anthropic',
    ],
    ['is missing: must be TEXT or IMAGE', 'не указано: нужно TEXT или IMAGE'],
    [
      'line 3: models[0].cost_output_tokens_rub: must not be negative',
      'строка 3: models[0].cost_output_tokens_rub: не должно быть отрицательным',
    ],
    // Values are the operator's own words, which are not translated.
    [
      'no model of this file has the id is listed twice',
      'модели с номером is listed twice в этом файле нет',
    ],
    ['something that no code says', 'something that no code says'],
  ])('are put together from parts and values: %s', (english, russian) => {
    expect(catalogueInRussian(english)).toBe(russian);
  });

  test('are all Russian in the refusal of a file with many mistakes', () => {
    const file = `
sandbox: maybe
rates: { USD: { rub: 0, date: 2026 }, RUB: { rub: 1, date: 2026-11-20 }, dollar: { rub: 1 } }
providers:
  up: { kind: opnai, base_url: ftp://x, api_key: k, api_keys: [{ key: k }, { key: k }], timeout: 5 }
  'a b': { kind: openai, api_key: ключ, headers: { host: x, 'b d': y }, extra_body: { n: 2 } }
  yandex: { kind: yandex, timeout_seconds: 0, options: { foldr: x }, max_concurrent: }
  none: 5
models:
  - { id: 101, provider: uq, model: a, model: b, type: TEXT, max_input_tokens: 0, min_temperature: 2, max_temperature: 1, cost_cached_input_tokens_rub: 1, fallbacks: [7, 101] }
  - { id: 101, provider: up, model: *name, type: VIDEO, max_input_tokens: 1, max_output_tokens: 1, cost_input_tokens_rub: 0.0000001, modality: image }
  - { id: 9, provider: up, model: '', type: TEXT, max_input_tokens: x, max_output_tokens: 1, cost: { currency: EUR, input_tokens: -1 }, cost_hours: [{ utc: 5, percent: 0 }] }
  - 7
`;
    const { message, details } = refusalOf(() => parseCatalogue(file, known));
    expect(details.length).toBeGreaterThan(25);
    const translated = [message, ...details.map((detail) => detail.message)].map(
      catalogueInRussian,
    );
    const english = /\b(?:must|is|are|the|of|not|and|with|has|line|unknown)\b/;
    expect(translated.filter((text) => !isRussian(text) || english.test(text))).toEqual([]);
  });
});
