/** Bodies that are cheap to send and expensive to read, for each kind of route and sender. */
import { JSON_NUMBERS_MAX, JSON_VALUES_MAX } from '../../../src/http/body/scan.ts';
import { SENT_MARKS_MAX, SENT_OPENERS_MAX } from '../../../src/catalogue/limits.ts';
import { TEXT } from '../support/catalogue.ts';
import { pick } from '../support/random.ts';

const MIB = 1024 * 1024;
/** Just below the limits of the compatible and the native interface. */
const COMPATIBLE_MAX_BYTES = 31 * MIB;
const NATIVE_MAX_BYTES = 3.9 * MIB;
/** A letter of three bytes; hardly any pair of them is in a vocabulary. */
const LETTER_BYTES = 3;
export const model = 'journal/journal-text';
const hello = [{ role: 'user', content: 'Hi' }];

/** Takes any text that a body can have. */
export const LONG_MODEL = {
  id: 103,
  model: 'journal-long',
  type: 'TEXT',
  maxInputTokens: 10_000_000,
} as const;
const longModel = `journal/${LONG_MODEL.model}`;

export type Sender = 'stranger' | 'poor' | 'rich' | 'admin';

export interface HeavyBody {
  name: string;
  path: string;
  body: string;
  sender: Sender;
  /** The only right answer; undefined: anything but a failure of the server. */
  status?: number;
}

/** @param size 1 for the largest allowed bodies; less for a part of that */
export function* heavyBodies(size: number, roomId: string): Generator<HeavyBody> {
  const compatible = letters((COMPATIBLE_MAX_BYTES / LETTER_BYTES) * size);
  const native = letters((NATIVE_MAX_BYTES / LETTER_BYTES) * size);
  const values = JSON_VALUES_MAX * size;
  const json = (name: string, path: string, body: unknown, sender: Sender): HeavyBody => ({
    name,
    path,
    sender,
    body: JSON.stringify(body),
  });
  const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
  const chat = (name: string, body: object): HeavyBody =>
    json(name, '/v1/chat/completions', { model, messages: hello, ...body }, 'poor');

  yield chat('a message of random letters', { messages: [{ role: 'user', content: compatible }] });
  yield chat('messages that are numbers', { messages: many(JSON_NUMBERS_MAX * size * 0.9, 1) });
  yield chat('messages that are empty', { messages: many(values * 0.9, {}) });
  yield chat('short messages', { messages: many(values / 4, hello[0]) });
  yield chat('tools that are empty', { tools: many(values * 0.9, {}) });
  yield chat('tools with one name', { tools: many(values / 8, tool('f')) });
  yield chat('an image', { messages: [{ role: 'user', content: [image(compatible.length)] }] });
  yield chat('a tool of many properties', { tools: [tool('f', properties(values / 3))] });
  yield json('texts', '/v1/responses', { model, input: many(values / 5, message) }, 'poor');
  yield json('empty inputs', '/v1/responses', { model, input: many(values * 0.9, {}) }, 'poor');
  const anthropic = { model, max_tokens: 9, messages: hello };
  const stops = many(values * 0.9, 'x');
  yield json('stop texts', '/v1/messages', { ...anthropic, stop_sequences: stops }, 'poor');
  const long = { model, messages: [{ role: 'user', content: compatible }] };
  yield json('tokens to be counted', '/v1/messages/count_tokens', long, 'poor');
  const inputs = many(Math.ceil(2_048 * size), native.slice(0, 4_000));
  yield json('many inputs', '/v1/embeddings', { model, input: inputs }, 'poor');
  yield json('token numbers', '/v1/embeddings', { model, input: many(values, 100) }, 'poor');
  yield json('prompts', '/v1/completions', { model, prompt: many(values, 'x') }, 'poor');
  yield json('a long message', '/ai/send/', { room_id: roomId, ai: TEXT, message: native }, 'poor');
  yield json(
    'an estimate',
    '/ai/estimate/',
    { room_id: roomId, ai: TEXT, message: native },
    'poor',
  );
  const urls = many(100, native.slice(0, 10_000));
  yield json('a hundred addresses', '/trust/bulk/', { urls }, 'poor');
  yield* acceptedBodies(size);
  const apply = '/admin/catalogue/apply/';
  yield json('a catalogue', apply, { yaml: catalogue(SENT_OPENERS_MAX * 0.9 * size) }, 'admin');
  yield json('a bomb of aliases', apply, { yaml: aliases(30) }, 'admin');
  yield json('a deep catalogue', apply, { yaml: '['.repeat(SENT_OPENERS_MAX * size) }, 'admin');
  yield json('a catalogue of tags', apply, { yaml: '! '.repeat(SENT_OPENERS_MAX * size) }, 'admin');
  const fields = many((SENT_MARKS_MAX / 2) * size, 0).map((_, at) => `a${at}:`);
  yield json('a catalogue of fields', apply, { yaml: fields.join('\n') }, 'admin');
  const list = Object.fromEntries(
    many(values / 8, 0).map((_, at) => [`m${'a'.repeat(40)}${at}`, price]),
  );
  const add = many(900, '*a*a*a*a*b');
  yield json('a price list', '/admin/catalogue/import/', { usd_rate: 90, add, list }, 'admin');
}

/** Bodies that are sent on to the provider. Its answer repeats the last message, so that is short. */
function* acceptedBodies(size: number): Generator<HeavyBody> {
  const words = 'The quick brown fox jumps over the lazy dog. ';
  const text = words.repeat((COMPATIBLE_MAX_BYTES / words.length) * size);
  const part = (messages: number) => text.slice(0, Math.max(1, text.length / messages - 60));
  const accepted = (name: string, path: string, body: object): HeavyBody => ({
    name,
    path,
    body: JSON.stringify({ model: longModel, ...body }),
    sender: 'rich',
    status: 200,
  });
  const chat = '/v1/chat/completions';
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: part(count),
    }));
  const images = (count: number) =>
    Array.from({ length: count }, () => image(text.length / count - 100));
  yield accepted('an accepted text', chat, { messages: [...turns(2), ...hello] });
  yield accepted('accepted turns', chat, {
    messages: [...turns(Math.ceil(20_000 * size)), ...hello],
  });
  yield accepted('an accepted image', chat, { messages: [{ role: 'user', content: images(1) }] });
  yield accepted('accepted images', chat, { messages: [{ role: 'user', content: images(20) }] });
  const instructed = { max_tokens: 9, system: text, messages: hello };
  yield accepted('accepted instructions', '/v1/messages', instructed);
  const input = [{ ...message, content: text }, message];
  yield accepted('accepted inputs', '/v1/responses', { input });
}

/** Bodies above a limit, whatever the size of the campaign: each must be refused as too large. */
export function* boundedBodies(): Generator<HeavyBody> {
  const path = '/v1/chat/completions';
  const bounded = (name: string, body: string, sender: Sender = 'poor'): HeavyBody => ({
    name,
    path: sender === 'stranger' ? '/auth/login/' : path,
    body,
    sender,
    status: 413,
  });
  const list = (count: number, item: string): string =>
    `{"model":"${model}","messages":[${item}${`,${item}`.repeat(count)}]}`;
  yield bounded('more empty objects than are taken', list(JSON_VALUES_MAX, '{}'));
  yield bounded('more texts than are taken', list(JSON_VALUES_MAX, String.raw`"\\\""`));
  yield bounded('more numbers than are taken', list(JSON_NUMBERS_MAX, '1'));
  yield bounded('brackets', '['.repeat(COMPATIBLE_MAX_BYTES));
  yield bounded('objects in objects', '{"a":'.repeat(COMPATIBLE_MAX_BYTES / 5));
  yield bounded('a login of nested lists', `{"login":${'['.repeat(3.2 * MIB)}`, 'stranger');
}

/** Bodies of random shape, of about this many bytes: wide or deep, with long names or long texts, valid or invalid. */
export function* randomBodies(
  count: number,
  bytes: number,
  random: () => number,
): Generator<HeavyBody> {
  for (let at = 0; at < count; at++) {
    const path = pick(COMPATIBLE_PATHS, random);
    const field = pick(FIELDS, random);
    const part = randomPart(random);
    const many = `${part},`.repeat(Math.max(1, Math.floor(bytes / part.length)));
    const body = `{"model":"${model}","${field}":[${many}${part}]}`;
    yield { name: `random ${at}: ${part.slice(0, 60)}`, path, body, sender: 'poor' };
  }
}

const COMPATIBLE_PATHS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/embeddings',
  '/v1/completions',
];
const FIELDS = ['messages', 'input', 'tools', 'stop', 'system', 'unknown'];
const LENGTHS = [0, 1, 20, 1_000, 50_000];

function randomPart(random: () => number, depth = 0): string {
  const text = () =>
    JSON.stringify(pick(['x', 'ж', '"', '\\'], random).repeat(pick(LENGTHS, random)));
  const inner = () => (depth > 5 ? '1' : randomPart(random, depth + 1));
  return pick(
    [
      text,
      () => '1e300',
      () => 'null',
      () => `[${inner()},${inner()}]`,
      () => `{${text()}:${inner()}}`,
      () => `{"role":"user","content":${text()}}`,
      () => `{"role":"user","content":[{"type":"text","text":${text()}}]}`,
      () => `{"type":"function","function":{"name":"f","parameters":${inner()}}}`,
      () => `{"type":"message","role":${text()},"content":${inner()}}`,
    ],
    random,
  )();
}

/** Letters far apart in the alphabet, the same at every run. */
export function letters(count: number): string {
  const text = Array.from({ length: 20_000 }, (_, at) =>
    String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000)),
  ).join('');
  return text.repeat(Math.ceil(count / text.length)).slice(0, count);
}

export const message = { type: 'message', role: 'user', content: 'Hi' };
const price = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 0.1 };

export function tool(name: string, parameters: object = { type: 'object' }) {
  return { type: 'function', function: { name, parameters } };
}

export function properties(count: number): object {
  const all = Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]);
  return { type: 'object', properties: Object.fromEntries(all) as object };
}

function image(bytes: number) {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } };
}

/** Models that are all invalid. */
function catalogue(models: number): string {
  const line = '  - { id: 1, provider: nobody, model: m, cost_input_tokens_rub: x }\n';
  return `models:\n${line.repeat(models)}`;
}

/** Each name stands for ten of the previous one. */
function aliases(levels: number): string {
  const lines = Array.from({ length: levels }, (_, at) =>
    at === 0
      ? 'a0: &a0 [x]'
      : `a${at}: &a${at} [${Array(10)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
  );
  return `${lines.join('\n')}\nmodels: *a${levels - 1}\n`;
}
