/** Bodies that are small in what they ask and large in what they could cost, a few for each kind of route. */
import { JSON_VALUES_MAX } from '../../../src/http/body/scan.ts';

const MIB = 1024 * 1024;
/** Just below what the compatible and the native interface take. */
const COMPATIBLE_MAX_BYTES = 31 * MIB;
const NATIVE_MAX_BYTES = 3.9 * MIB;
/** Admins change the catalogue, and not by megabytes. */
const CATALOGUE_BYTES = 256 * 1024;
/** A letter of three bytes, of which hardly two in a row are known to any vocabulary. */
const LETTER_BYTES = 3;
const model = 'sandbox/sandbox-text';
const hello = [{ role: 'user', content: 'Hi' }];

export interface HeavyBody {
  name: string;
  path: string;
  body: string;
}

/** @param size 1 for bodies as large as they may be; less for a part of that */
export function* heavyBodies(size: number, roomId: string): Generator<HeavyBody> {
  const compatible = letters((COMPATIBLE_MAX_BYTES / LETTER_BYTES) * size);
  const native = letters((NATIVE_MAX_BYTES / LETTER_BYTES) * size);
  const members = JSON_VALUES_MAX * size;
  const json = (name: string, path: string, body: unknown): HeavyBody => ({
    name,
    path,
    body: JSON.stringify(body),
  });
  const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
  const chat = (name: string, body: object): HeavyBody =>
    json(name, '/v1/chat/completions', { model, messages: hello, ...body });

  yield chat('a message of random letters', { messages: [{ role: 'user', content: compatible }] });
  yield chat('messages that are numbers', { messages: many(members * 0.9, 1) });
  yield chat('more numbers than are taken', { messages: many(members * 16, 1) });
  yield chat('short messages', { messages: many(members / 4, hello[0]) });
  yield chat('tools that are empty', { tools: many(members * 0.9, {}) });
  yield chat('tools with one name', { tools: many(members / 8, tool('f')) });
  yield chat('an image', { messages: [{ role: 'user', content: [image(compatible.length)] }] });
  yield chat('a tool of many properties', { tools: [tool('f', properties(members / 3))] });
  yield json('a list of texts', '/v1/responses', { model, input: many(members / 5, input) });
  const anthropic = { model, max_tokens: 9, messages: hello };
  const stops = many(members * 0.9, 'x');
  yield json('stop texts', '/v1/messages', { ...anthropic, stop_sequences: stops });
  const long = { model, messages: [{ role: 'user', content: compatible }] };
  yield json('tokens to be counted', '/v1/messages/count_tokens', long);
  yield json('many inputs', '/v1/embeddings', {
    model,
    input: many(2_048, native.slice(0, 4_000)),
  });
  yield json('a long message', '/ai/send/', { room_id: roomId, ai: 1, message: native });
  yield json('an estimate', '/ai/estimate/', { room_id: roomId, ai: 1, message: native });
  yield json('a password', '/auth/login/', { login: 'admin', password: native });
  yield json('a hundred addresses', '/trust/bulk/', { urls: many(100, native.slice(0, 10_000)) });
  yield json('a catalogue', '/admin/catalogue/apply/', {
    yaml: catalogue(CATALOGUE_BYTES * size),
  });
  yield json('a bomb of aliases', '/admin/catalogue/apply/', { yaml: aliases(30) });
  yield json('a deep catalogue', '/admin/catalogue/apply/', {
    yaml: '['.repeat(CATALOGUE_BYTES * size),
  });
  yield json('a price list', '/admin/catalogue/import/', {
    usd_rate: 90,
    add: many(900, '*a*a*a*a*b'),
    list: Object.fromEntries(
      many(members / 8, 0).map((_, at) => [`m${'a'.repeat(40)}${at}`, price]),
    ),
  });
}

/** Letters far from each other in the alphabet, the same at every run. */
function letters(count: number): string {
  const text = Array.from({ length: 20_000 }, (_, at) =>
    String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000)),
  ).join('');
  return text.repeat(Math.ceil(count / text.length)).slice(0, count);
}

const input = { type: 'message', role: 'user', content: 'Hi' };
const price = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 0.1 };

function tool(name: string, parameters: object = { type: 'object' }) {
  return { type: 'function', function: { name, parameters } };
}

function properties(count: number): object {
  const all = Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]);
  return { type: 'object', properties: Object.fromEntries(all) as object };
}

function image(bytes: number) {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } };
}

/** Models that are all wrong. */
function catalogue(bytes: number): string {
  const line = '  - { id: 1, provider: nobody, model: m, cost_input_tokens_rub: x }\n';
  return `models:\n${line.repeat(bytes / line.length)}`;
}

/** Each name stands for ten of the one before. */
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
