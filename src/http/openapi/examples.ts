import { exampleRoom } from '../schemas.ts';

type Json = Record<string, unknown>;

interface Document {
  paths?: object | undefined;
  components?: { schemas?: object | undefined } | undefined;
}

/** Adds an example to each successful JSON answer, made from its schema and the words below. */
export function addAnswerExamples<T extends Document>(document: T): T {
  for (const [path, item] of Object.entries((document.paths ?? {}) as Record<string, Json>)) {
    for (const operation of Object.values(item) as { responses?: Json; requestBody?: Json }[]) {
      const json = jsonOf(operation.responses?.['200']);
      if (!json || 'example' in json) continue;
      const body = jsonOf(operation.requestBody)?.['example'];
      const maker = new ExampleMaker(document, (body ?? {}) as Json);
      json['example'] = maker.make(json['schema'] as Json, path);
    }
  }
  return document;
}

function jsonOf(part: unknown): Json | undefined {
  const { content } = (part ?? {}) as { content?: Record<string, Json> };
  return content?.['application/json'];
}

/** A time in all examples. */
const START = 1_767_225_600;

/**
 * Words for fields by name; null if null is the usual value. A field of the same name in the request's example has
 * priority.
 */
const words: Readonly<Record<string, unknown>> = {
  room_id: exampleRoom,
  error: null,
  incomplete_details: null,
  erased_at: null,
  revoked_at: null,
  stop_sequence: null,
  warnings: [],
  index: 0,
  seed: 7,
  is_chat_mode_allowed: 1,
  request: 'Hello',
  system_prompt: 'Be brief.',
  from: '2026-01-01',
  to: '2026-01-31',
  fetched_at: '2026-01-31T12:00:00Z',
  login: 'alice',
  password: 'a generated password',
  token: 'eyJhbGciOiJIUzI1NiJ9…',
  key: 'zk_…',
  key_hint: 'zk_…3f9a',
  hint: 'zk_…3f9a',
  message: 'Hello',
  content: 'Good morning!',
  text: 'Good morning!',
  response: 'Good morning!',
  title: 'Hello',
  name: 'laptop',
  reason: 'invoice 17',
  subject: 'alice',
  code: 'sandbox',
  provider: 'sandbox',
  owned_by: 'sandbox',
  usage_source: 'provider',
  description: 'A model without a key',
  description_full: 'Answers without a key and without a network.',
  model: 'sandbox/sandbox-text',
  model_alias: 'mini',
  display_name: 'sandbox/sandbox-text',
  url: 'https://example.com/',
  final_url: 'https://example.com/',
  image_url: 'https://example.com/images/1',
  domain: 'example.com',
  domains: 1,
  day: '2026-01-31',
  date: '2026-01-31',
  language: 'en',
  language_source: 'declared',
  contact: 'https://example.com/contact',
  privacy: 'https://example.com/privacy',
  imprint: 'https://example.com/imprint',
  release: '2026-01',
  formula: '1',
  finish_reason: 'stop',
  stop_reason: 'end_turn',
  currency: 'RUB',
  cost_currency: 'RUB',
  arguments: '{"city":"Paris"}',
  embedding: 0.25,
  b64_json: 'iVBORw0KGgo=',
  created: START,
  created_at: START,
  expires_at: START + 86_400,
  expired_at: START + 86_400,
  cost_tokens_unit: 1_000_000,
  max_input_tokens: 128_000,
  max_output_tokens: 16_384,
  min_temperature: 0,
  max_temperature: 2,
  cost_input_tokens_rub: 25,
  cost_output_tokens_rub: 200,
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
  input_tokens: 9,
  prompt_tokens: 9,
  output_tokens: 3,
  completion_tokens: 3,
  total_tokens: 12,
  cost_request: 0.000225,
  cost_response: 0.0006,
  cost: 0.000825,
  cost_max: 0.003225,
  cost_likely: 0.000825,
  charged: 0.000825,
  spend: 0.000825,
  total_spend: 0.000825,
  balance: 499.999175,
  balance_after: 499.999175,
  available: 499.999175,
  amount: -0.000825,
  held: 0,
  credit_limit: 0,
  xt: 7.5,
};

function allowsNull({ type, anyOf = [] }: Json): boolean {
  const types = [type, ...(anyOf as Json[]).map((choice) => choice['type'])].flat();
  return types.includes('null');
}

/** Makes a value that fits a schema: the first choice that is not null, and the required fields of each object. */
class ExampleMaker {
  readonly #document: Document;
  readonly #body: Json;

  constructor(document: Document, body: Json) {
    this.#document = document;
    this.#body = body;
  }

  make(schema: Json, name: string): unknown {
    const { $ref, examples, enum: options } = schema;
    if (words[name] === null && allowsNull(schema)) return null;
    if (typeof $ref === 'string') return this.make(this.#named($ref), name);
    if (Array.isArray(examples)) return examples[0];
    if ('const' in schema) return schema['const'];
    if (Array.isArray(options)) return options[0];
    const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
    if (choices) return this.make(choices.find(({ type }) => type !== 'null') ?? {}, name);
    const { type } = schema;
    const first: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
    return this.#ofType(first, schema, name);
  }

  #ofType(type: unknown, schema: Json, name: string): unknown {
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return Array.isArray(words[name])
          ? words[name]
          : [this.make((schema['items'] ?? {}) as Json, name)];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return this.#number(type, schema, name);
      case 'string':
        return this.#text(schema, name);
      default:
        return {};
    }
  }

  #object({ properties = {}, required = [] }: Json): Json {
    const needed = required as string[];
    const fields = Object.entries(properties as Record<string, Json>);
    return Object.fromEntries(
      fields
        .filter(([name]) => needed.includes(name))
        .map(([name, schema]): [string, unknown] => [name, this.make(schema, name)]),
    );
  }

  #number(type: 'integer' | 'number', schema: Json, name: string): number {
    const word = this.#word(name);
    const fits = type === 'integer' ? Number.isInteger(word) : typeof word === 'number';
    if (fits) return word as number;
    if (name.endsWith('_at')) return START;
    return Math.max(1, Number(schema['minimum'] ?? 1));
  }

  #text({ format, pattern }: Json, name: string): string {
    const word = this.#word(name);
    if (format === 'date-time') return '2026-01-01T00:00:00Z';
    if (format === 'date') return '2026-01-31';
    if (format === 'uri') return 'https://example.com/';
    const form = new RegExp(typeof pattern === 'string' ? pattern : '');
    if (typeof word === 'string' && form.test(word)) return word;
    // In the history, numbers are written as texts of digits.
    return /(_id|_at|_tokens|_reply|^id)$/.test(name) ? '1' : '…';
  }

  #word(name: string): unknown {
    return this.#body[name] ?? words[name];
  }

  #named(reference: string): Json {
    const name = reference.split('/').at(-1) ?? '';
    const schemas = (this.#document.components?.schemas ?? {}) as Record<string, Json>;
    return schemas[name] ?? {};
  }
}
