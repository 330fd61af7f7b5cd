import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { fileOf, known, modelOf, refusalOf } from './fixtures.ts';

const parse = (text: string) => parseCatalogue(text, known);

/** `line N: path: message` of every problem. */
function problemsOf(text: string): string[] {
  const { code, details } = refusalOf(() => parse(text));
  expect(code).toBe('invalid_request');
  return details.map(({ path, message }) => `${path} | ${message}`);
}

describe('a catalogue file', () => {
  test('reports all problems at once: those of single fields, and those of combinations', () => {
    const text = `
providers:
  up: { kind: opnai, base_url: ftp://x, api_key: k, api_keys: [{ key: k }], timeout: 5 }
  yandex: { kind: yandex, timeout_seconds: 0, options: { foldr: x } }
models:
  - { id: 101, provider: uq, model: a, model: b, type: TEXT, max_input_tokens: 0, max_output_tokens: 1, min_temperature: 2, max_temperature: 1, cost_cached_input_tokens_rub: 1, fallbacks: [7] }
  - { id: 101, provider: up, model: *name, type: VIDEO, max_input_tokens: 1, max_output_tokens: 1, cost_input_tokens_rub: 0.0000001 }
`;
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^providers\.up\.base_url /),
      expect.stringMatching(/^providers\.up\.timeout .*unknown field/),
      expect.stringMatching(/^providers\.up\.kind .*unknown kind/),
      expect.stringMatching(/^providers\.up\.api_keys .*only one of the two/),
      expect.stringMatching(/^providers\.yandex\.timeout_seconds /),
      expect.stringMatching(/^providers\.yandex\.options\.foldr /),
      expect.stringMatching(/^providers\.yandex\.options\.folder .*is missing/),
      expect.stringMatching(/^models\[0\]\.model .*listed twice/),
      expect.stringMatching(/^models\[0\]\.provider .*unknown provider/),
      expect.stringMatching(/^models\[0\]\.max_input_tokens /),
      expect.stringMatching(/^models\[0\]\.min_temperature .*above max_temperature/),
      expect.stringMatching(/^models\[0\]\.cost_cached_input_tokens_rub .*needs/),
      expect.stringMatching(/^models\[0\]\.fallbacks\[0\] .*no model of this file/),
      expect.stringMatching(/^models\[1\]\.model .*aliases/),
      expect.stringMatching(/^models\[1\]\.type /),
      expect.stringMatching(/^models\[1\]\.cost_input_tokens_rub .*decimals/),
      expect.stringMatching(/^models\[1\]\.id .*has the same id/),
    ]);
  });

  test('warns of a price of output without one of input', () => {
    const warningsOf = (more: string) => parse(fileOf([modelOf(101, 'a', more)])).warnings;
    expect(warningsOf(', cost_output_tokens_rub: 2')).toEqual([
      expect.stringMatching(/^line \d+: models\[0\]\.cost_output_tokens_rub: .*so input is free/),
    ]);
    for (const right of [
      '',
      ', cost_output_tokens_rub: 0',
      ', cost_output_fix_rub: 2',
      ', cost_input_tokens_rub: 0, cost_output_tokens_rub: 2',
      ', cost_input_fix_rub: 1, cost_output_tokens_rub: 2',
    ]) {
      expect(warningsOf(right)).toEqual([]);
    }
  });

  test('reads every field', () => {
    const file = parse(`
providers:
  openai:
    kind: openai
    base_url: https://api.openai.com/v1
    api_key: \${OPENAI_API_KEY}
    timeout_seconds: 60
models:
  - id: 101
    provider: openai
    model: gpt-5-mini
    description: GPT-5 mini
    description_full: "Длинное описание 🙂"
    model_alias: mini
    type: TEXT
    max_input_tokens: 272000
    max_output_tokens: 128000
    min_temperature: 0.5
    max_temperature: 1.5
    is_chat_mode_allowed: 0
    cost_input_tokens_rub: 25
    cost_output_tokens_rub: 200.000001
    cost_input_fix_rub: 0.1
    cost_output_fix_rub: "0.2"
    fallbacks: [102, 1]
  - { id: 102, provider: openai, model: gpt-4.1, type: TEXT, max_input_tokens: 1, max_output_tokens: 1, cost_output_fix_rub: 0 }
`);
    expect(file).toEqual({
      warnings: [],
      binds: true,
      sandbox: null,
      providers: [
        {
          code: 'openai',
          kind: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          keys: [{ key: '${OPENAI_API_KEY}', weight: 1 }],
          timeoutSeconds: 60,
          options: {},
        },
      ],
      models: [
        {
          id: 101,
          facts: {
            provider: 'openai',
            model: 'gpt-5-mini',
            description: 'GPT-5 mini',
            descriptionFull: 'Длинное описание 🙂',
            alias: 'mini',
            type: 'TEXT',
            modality: 'text',
            maxInputTokens: 272_000,
            maxOutputTokens: 128_000,
            minTemperature: 0.5,
            maxTemperature: 1.5,
            chatAllowed: false,
            price: {
              inputTokens: 25_000_000,
              outputTokens: 200_000_001,
              inputFix: 100_000,
              outputFix: 200_000,
            },
          },
          fallbacks: [102, 1],
          index: 0,
          line: 9,
        },
        expect.objectContaining({ id: 102, line: 26 }),
      ],
    });
  });

  test('fills in the defaults', () => {
    const text = `${modelOf(undefined, 'plain')}\n  - ${modelOf(undefined, 'picture').replace('TEXT', 'IMAGE')}`;
    const [plain, picture] = parse(fileOf([text])).models;
    expect(plain?.facts).toEqual({
      provider: 'up',
      model: 'plain',
      description: 'plain',
      descriptionFull: '',
      alias: null,
      type: 'TEXT',
      modality: 'text',
      maxInputTokens: 1000,
      maxOutputTokens: 500,
      minTemperature: 0,
      maxTemperature: 2,
      chatAllowed: true,
      price: null,
    });
    expect(picture?.facts).toMatchObject({ modality: 'image', chatAllowed: false });
    expect(parse(fileOf([])).providers[0]?.timeoutSeconds).toBe(120);
  });

  test('an embedding model needs no output limit, and any other model does', () => {
    const without = (more: string) =>
      modelOf(100, 'm', more).replace(/, max_output_tokens: \d+/, '');
    const [embedder] = parse(fileOf([without(', modality: embedding')])).models;
    const expected = {
      type: 'TEXT',
      modality: 'embedding',
      maxOutputTokens: 1,
      chatAllowed: false,
    };
    expect(embedder?.facts).toMatchObject(expected);
    expect(problemsOf(fileOf([without('')]))).toEqual([
      expect.stringMatching(/^models\[0\]\S* \| line \d+: is missing/),
    ]);
  });

  test('takes on, off, true and false for the sandbox', () => {
    const sandbox = (value: string) => parse(`sandbox: ${value}\nmodels: []`).sandbox;
    expect(['on', 'true', 'off', 'false', '"off"'].map(sandbox)).toEqual([
      'on',
      'on',
      'off',
      'off',
      'off',
    ]);
    expect(parse('models: []').sandbox).toBeNull();
  });

  test.each([
    ['cost_input_tokens_rub: -1', 'must not be negative'],
    ['cost_output_fix_rub: -0.000001', 'must not be negative'],
    ['cost_output_fix_rub: "-3"', 'must not be negative'],
    ['cost_input_tokens_rub: 0.0000001', 'with at most 6 decimals'],
    ['cost_input_tokens_rub: 1,5', 'unknown field'],
    ['cost_input_tokens_rub: "1,5"', 'must be a decimal number'],
    ['cost_input_tokens_rub: 1_000', 'must be a decimal number'],
    ['cost_input_tokens_rub: .inf', 'must be an amount of rubles'],
    ['cost_input_tokens_rub: .nan', 'must be an amount of rubles'],
    ['cost_input_tokens_rub: true', 'must be an amount of rubles'],
    ['cost_input_tokens_rub: ~', 'is empty'],
    ['cost_input_tokens_rub: 100000000.1', 'from 0 to 100000000'],
    ['cost_input_tokens_rub: 12345678901234567.5', 'must be a decimal number'],
    ['cost_input_tokens_rub: 1.00000000000000001', 'with at most 6 decimals'],
    ['cost_tokens_per: 100', 'must be 1, 1000 or 1000000'],
    ['min_temperature: 2', undefined],
    ['min_temperature: 2.1', 'must not be above max_temperature (2)'],
    ['max_temperature: -1', 'must not be negative'],
    ['min_temperature: 1.5, max_temperature: 1', 'must not be above max_temperature (1)'],
    ['is_chat_mode_allowed: 2', 'must be 0 or 1'],
    ['fallbacks: [101]', 'cannot be its own fallback'],
    ['fallbacks: [555]', 'no model of this file has the id 555'],
    ['fallbacks: [2]', 'model 2 is of another type'],
    ['modality: image', 'needs type: IMAGE'],
    ['modality: audio', 'must be one of text, image, completion, embedding, speech'],
    ['modality: embedding, fallbacks: [1]', 'model 1 is of another modality'],
    ['fallbacks: [1, 1]', 'model 1 is listed twice'],
    ['fallbacks: 1', 'must be a list of model ids'],
    ['description: 2025', 'must be text (put it in quotes)'],
    ['description: "a\\0b"', 'U+0000'],
    ['description: ""', 'must not be empty'],
    ['descripton: x', 'unknown field (did you mean description?)'],
    ['cost_input_token_rub: 5', 'unknown field (did you mean cost_input_tokens_rub?)'],
    ['zzzzzzz: 5', /unknown field$/],
    ['__proto__: { a: 1 }', 'a field name must be plain text'],
  ])('refuses a model with %s', (field, message) => {
    const text = fileOf([modelOf(100, 'first'), modelOf(101, 'second', `,\n      ${field}`)]);
    if (message === undefined) {
      expect(parse(text).models).toHaveLength(2);
      return;
    }
    const [problem] = problemsOf(text);
    // The provider takes six lines; the second model's extra field is on the ninth.
    expect(problem).toMatch(/^models\[1\]\S* \| line (9|10): /);
    if (message instanceof RegExp) expect(problem).toMatch(message);
    else expect(problem).toContain(message);
  });

  test.each([
    ['id: 99', 'ids below 100 are reserved'],
    ['id: 101.5', 'must be a whole number'],
    ['id: 1e12', 'must be at most 999999999'],
    ['id: "101"', 'must be a whole number'],
    ['type: VIDEO', 'must be TEXT or IMAGE'],
    ['provider: upp', 'unknown provider (did you mean up?)'],
    ['provider: 7', 'must be text'],
    ['model: ~', 'is empty'],
    ['max_input_tokens: 1.5', 'must be a whole number from 1 to 10000000'],
    ['max_input_tokens: 0', 'must be a whole number from 1'],
    ['max_output_tokens: 10000001', 'to 10000000'],
    ['max_output_tokens: -4', 'must be a whole number from 1'],
  ])('refuses %s', (field, message) => {
    const name = field.split(':')[0] ?? '';
    const whole = modelOf(101, 'second').replace(new RegExp(`${name}: [^,}]+`), `${field} `);
    const [problem] = problemsOf(fileOf([modelOf(100, 'first'), whole]));
    expect(problem).toStartWith(`models[1].${name} | line 9: `);
    expect(problem).toContain(message);
  });

  test.each(['provider', 'model', 'type', 'max_input_tokens', 'max_output_tokens'])(
    'names the model that lacks %s',
    (name) => {
      const whole = modelOf(101, 'second').replace(new RegExp(`${name}: [^,}]+,?`), '');
      expect(problemsOf(fileOf([whole]))[0]).toMatch(
        new RegExp(`^models\\[0\\]\\.${name} \\| line 8: is missing`),
      );
    },
  );

  test.each([
    [
      'kind: opnai',
      'kind',
      'unknown kind (did you mean openai?): must be one of openai, gigachat, yandex, sandbox',
    ],
    ['kind: openai\n    base_url: ftp://x', 'base_url', 'must be an http:// or https:// address'],
    ['kind: openai\n    base_url: not an address', 'base_url', 'http:// or https://'],
    ['kind: openai\n    base_url: https://u:p@host/', 'base_url', 'must not contain a password'],
    ['kind: openai\n    base_url: https://host/?key=1', 'base_url', 'must not contain a query'],
    ['kind: openai\n    api_key: $NAME', 'api_key', '${NAME}'],
    ['kind: openai\n    api_key: ${NA-ME}', 'api_key', '${NAME}'],
    ['kind: openai\n    api_key: "sk-1\\n"', 'api_key', 'one line of Latin letters'],
    ['kind: openai\n    api_key: "sk-1\\r\\nx"', 'api_key', 'one line of Latin letters'],
    ['kind: openai\n    api_key: ключ', 'api_key', 'Latin letters'],
    ['kind: openai\n    api_keys: [{ key: ключ }]', 'api_keys[0].key', 'Latin letters'],
    ['kind: openai\n    api_key: ${ZASTAVA_SECRET}', 'api_key', 'own settings'],
    ['kind: openai\n    base_url: https://x/${ZASTAVA_SECRET}', 'base_url', 'own settings'],
    ['kind: openai\n    timeout_seconds: 0', 'timeout_seconds', 'from 1 to 3600'],
    ['kind: openai\n    apikey: x', 'apikey', 'unknown field (did you mean api_key?)'],
    ['base_url: https://host', 'kind', 'is missing'],
  ])('refuses a provider with %s', (fields, name, message) => {
    const [problem] = problemsOf(`providers:\n  other:\n    ${fields}\nmodels: []\n`);
    const line = fields.includes('\n') ? 4 : fields.startsWith('kind') ? 3 : 2;
    expect(problem).toStartWith(`providers.other.${name} | line ${line}: `);
    expect(problem).toContain(message);
  });

  test('reserves the code of the built-in provider for its kind', () => {
    expect(problemsOf('providers: { sandbox: { kind: openai } }')[0]).toContain('built-in');
    expect(parse('providers: { sandbox: { kind: sandbox } }\nmodels: []').providers).toHaveLength(
      1,
    );
  });

  test('lets a model use the built-in provider unless it is disabled', () => {
    const model = modelOf(101, 'mine').replace('up', 'sandbox');
    expect(parse(fileOf([model])).models).toHaveLength(1);
    expect(problemsOf(fileOf([model], 'sandbox: off'))[0]).toContain('unknown provider');
    const falling = fileOf([modelOf(101, 'mine', ', fallbacks: [1]')], 'sandbox: off');
    expect(problemsOf(falling)[0]).toContain('no model of this file has the id 1');
  });

  test('refuses two models with one id, or with one name and no ids', () => {
    const [sameId] = problemsOf(fileOf([modelOf(101, 'a'), modelOf(101, 'b')]));
    expect(sameId).toBe('models[1].id | line 9: the model in line 8 has the same id');
    const [sameName] = problemsOf(fileOf([modelOf(undefined, 'a'), modelOf(undefined, 'a')]));
    expect(sameName).toStartWith('models[1].model | line 9: the model in line 8 has the same');
    expect(parse(fileOf([modelOf(101, 'a'), modelOf(102, 'a')])).models).toHaveLength(2);
  });

  test('refuses two models with one alias', () => {
    const aliased = (id: number, alias: string) => modelOf(id, `m${id}`, `, model_alias: ${alias}`);
    const [same] = problemsOf(fileOf([aliased(101, 'mini'), aliased(102, 'mini')]));
    expect(same).toBe(
      'models[1].model_alias | line 9: the model in line 8 has the same model_alias',
    );
    const others = [aliased(101, 'mini'), aliased(102, 'Mini'), modelOf(103, 'a')];
    expect(parse(fileOf([...others, modelOf(104, 'b')])).models).toHaveLength(4);
  });

  test('refuses an unpriced fallback of a priced model', () => {
    const priced = modelOf(101, 'a', ', cost_input_tokens_rub: 1, fallbacks: [102]');
    expect(problemsOf(fileOf([priced, modelOf(102, 'b')]))[0]).toContain('has no price');
    const free = modelOf(102, 'b', ', cost_input_tokens_rub: 0');
    expect(parse(fileOf([priced, free])).models).toHaveLength(2);
  });

  test('reports all problems at once, in the order of their lines', () => {
    const text = fileOf(
      [modelOf(101, 'a', ', cost_input_tokens_rub: -1, x: 1'), modelOf(50, 'b')],
      'sandbx: off',
    );
    const error = refusalOf(() => parse(text));
    expect(error.details.map(({ path }) => path)).toEqual([
      'sandbx',
      'models[0].cost_input_tokens_rub',
      'models[0].x',
      'models[1].id',
    ]);
    expect(error.message).toBe(
      'the catalogue was refused for 4 problems, the first: line 1: sandbx: unknown field (did you mean sandbox?)',
    );
  });

  test('reports one syntax error once, for its line', () => {
    const { details } = refusalOf(() => parse('models: []\nproviders: { a: ${B} } }, } x: {\n'));
    const lines = details.map(({ message }) => /^line \d+/.exec(message)?.[0]);
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test.each([
    ['', 'must have the fields providers and models'],
    ['# nothing\n', 'must have the fields'],
    ['- 1', 'must have the fields'],
    ['providers: []', 'must be a map of provider codes'],
    ['models: {}', 'must be a list of models'],
    ['sandbox: on', 'the field models is missing (to retire all models, write "models: []")'],
    ['providers: { a: { kind: openai } }', 'the field models is missing'],
    ['models:', 'models | line 1: is empty (to retire all models, write "models: []")'],
    ['sandbox: on\nmodels:\n', 'models | line 2: is empty'],
    ['models: ~', 'is empty'],
    ['models: [1]', 'must be a map with at least'],
    ['providers: { a: 1 }', 'must be a map with at least the field kind'],
    ['providers: { "a b": { kind: openai } }', 'a provider code is 1 to 64'],
    ['models: []\nmodels: []', 'is listed twice'],
    ['providers: &a { b: *a }', 'aliases'],
    ['a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]', 'aliases'],
    ['? [1, 2]\n: 3', 'a field name must be plain text'],
    ['models: []\n---\nmodels: []', 'one document'],
    ['models: [', 'bracket'],
    ['\tmodels: []', 'tabs'],
    ['providers: { up: { kind: openai, api_key: ${UP_KEY} } }', 'needs quotes'],
    ['models: !secret x', 'tags'],
    ['models: !!binary aGk=', ''],
    ['sandbox: maybe', 'must be on or off'],
    [`models: ${'['.repeat(20)}${']'.repeat(20)}`, 'nested too deeply'],
  ])('refuses %p', (text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message);
  });
});
