/** Request bodies: which are refused and how, and that text is returned byte for byte. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BodyBudget } from '../../src/http/body/budget.ts';
import { BODY_MAX_BYTES, BodyReader, PUBLIC_BODY_MAX_BYTES } from '../../src/http/body/read.ts';
import {
  JSON_DEPTH_MAX,
  JSON_NAMES_MAX,
  JSON_NUMBERS_MAX,
  JSON_VALUES_MAX,
} from '../../src/http/body/scan.ts';
import { BodyThread } from '../../src/http/body/thread.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { dialects } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { sharedWorld, type Sent } from '../support/world.ts';

/** This many levels of objects and arrays. */
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const listOf = (count: number, item: string) => `{"a":[${Array(count).fill(item).join(',')}]}`;
/** This many texts in a list. */
const valuesOf = (count: number) => listOf(count, '"\\\\\\""');
const namesOf = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"n${at}" : 1`).join(',')}}`;

const json = { 'content-type': 'application/json' };

type Body = null | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A body in chunks, so that no length is given. */
function chunked(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

// They are read before any of them reaches a database.
for (const dialect of dialects.slice(0, 1)) {
  describe(`${dialect}: request bodies`, () => {
    const world = sharedWorld(dialect);

    /** Posts raw bytes as a send; the credential is valid. */
    async function post(body: Body, headers: Record<string, string> = json) {
      const { gateway, user } = world();
      const { token } = await user();
      const response = await gateway.fetch('/ai/room/', {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      const answer = (await response.json()) as { error?: { code: string; message: string } };
      return [response.status, answer.error?.code ?? 'ok'] as [number, string];
    }

    const refused: [what: string, body: Body, status: number, code: string][] = [
      ['not JSON', '{"room_id": nul}', 400, 'invalid_json'],
      ['a form', 'room_id=1', 400, 'invalid_json'],
      ['cut off', '{"room_id": "', 400, 'invalid_json'],
      ['two values', '{}{}', 400, 'invalid_json'],
      ['only white space', ' \n', 400, 'invalid_json'],
      ['a comment', '{} // ok', 400, 'invalid_json'],
      ['an array', '[]', 422, 'invalid_request'],
      ['a string', '"room"', 422, 'invalid_request'],
      ['a number', '7', 422, 'invalid_request'],
      ['true', 'true', 422, 'invalid_request'],
      ['null', 'null', 422, 'invalid_request'],
      ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalid_json'],
      ['overlong UTF-8', new Uint8Array([0x7b, 0xc0, 0x80, 0x7d]), 400, 'invalid_json'],
      ['surrogates as UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 400, 'invalid_json'],
      ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 400, 'invalid_json'],
      ['a raw U+0000', '{"a":"\0"}', 400, 'invalid_json'],
      ['an escaped U+0000', '{"a":"\\u0000"}', 422, 'invalid_request'],
      ['U+0000 in a name', '{"a\\u0000":1}', 422, 'invalid_request'],
      ['U+0000 deep inside', '{"a":[{"b":["\\u0000"]}]}', 422, 'invalid_request'],
      ['a lone high surrogate', '{"a":"\\ud800"}', 422, 'invalid_request'],
      ['a lone low surrogate', '{"a":"\\udc00x"}', 422, 'invalid_request'],
      ['surrogates in the wrong order', '{"a":"\\udc00\\ud800"}', 422, 'invalid_request'],
      ['a lone surrogate in a name', '{"\\ud83d":1}', 422, 'invalid_request'],
      ['too many values', valuesOf(JSON_VALUES_MAX + 1), 413, 'payload_too_large'],
      ['too many lists', listOf(JSON_VALUES_MAX + 1, '[1,-2.5e3]'), 413, 'payload_too_large'],
      ['too many words', listOf(JSON_VALUES_MAX + 1, 'null'), 413, 'payload_too_large'],
      ['too many names', namesOf(JSON_NAMES_MAX + 1), 413, 'payload_too_large'],
      ['too many numbers', listOf(JSON_NUMBERS_MAX + 1, '1'), 413, 'payload_too_large'],
      ['nested too deep', nested(JSON_DEPTH_MAX + 1), 413, 'payload_too_large'],
      [
        '100,000 arrays deep',
        `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        413,
        'payload_too_large',
      ],
      [
        '100,000 objects deep',
        `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
        413,
        'payload_too_large',
      ],
      ['100,000 open brackets', '['.repeat(100_000), 413, 'payload_too_large'],
    ];
    for (const [what, body, status, code] of refused) {
      test(`${what}: ${code}`, async () => {
        expect(await post(body)).toEqual([status, code]);
      });
    }

    test('an empty body counts as an empty object, but not with the type of something else', async () => {
      expect(await post('')).toEqual([200, 'ok']);
      expect(await post(null, {})).toEqual([200, 'ok']);
      const text = await post('', { 'content-type': 'text/plain' });
      expect(text).toEqual([415, 'unsupported_media_type']);
    });

    test('of a thousand wrong fields the first fifty are named, with the number of the others', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      const messages = { model: 'm', messages: Array(1_000).fill('x') };
      const { status, body } = await gateway.post('/v1/chat/completions', messages, { token });
      expect(status).toBe(400);
      expect(body.error?.message).toMatch(/^messages\.0: .*messages\.49: [^;]+; and 950 more$/);
    });

    test('accepts the allowed depth and number of values', async () => {
      expect(await post(valuesOf(JSON_VALUES_MAX))).toEqual([200, 'ok']);
      expect(await post(namesOf(JSON_NAMES_MAX))).toEqual([200, 'ok']);
      expect(await post(listOf(JSON_NUMBERS_MAX, '1'))).toEqual([200, 'ok']);
      expect(await post(nested(JSON_DEPTH_MAX))).toEqual([200, 'ok']);
      for (const leaf of ['null', '1', '"text"']) {
        const deep = nested(JSON_DEPTH_MAX).replace('[]', `[${leaf}]`);
        expect(await post(deep)).toEqual([200, 'ok']);
      }
    });

    test('compressed bodies are refused by the name of their encoding; identity is accepted', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      const packed = Bun.gzipSync('{}');
      for (const encoding of ['gzip', 'GZIP', 'br', 'gzip, identity']) {
        const answer = await post(packed, { ...json, 'content-encoding': encoding });
        expect([encoding, ...answer]).toEqual([encoding, 415, 'unsupported_media_type']);
      }
      const headers = { 'content-encoding': 'gzip' };
      const { body } = await gateway.post('/ai/room/', {}, { token, headers });
      expect(body.error?.message).toContain('Content-Encoding');
      expect(await post('{}', { ...json, 'content-encoding': 'identity' })).toEqual([200, 'ok']);
    });

    test('a byte order mark is skipped', async () => {
      expect(await post('\ufeff{}')).toEqual([200, 'ok']);
    });

    test('the media type must be JSON; a charset parameter is accepted', async () => {
      const good = [
        'application/json',
        'application/json; charset=utf-8',
        'application/json;charset=UTF-8',
        'Application/JSON ; charset="utf-8"',
        'application/json; charset=windows-1251',
      ];
      for (const type of good)
        expect(await post('{}', { 'content-type': type })).toEqual([200, 'ok']);
      const bad = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=a',
        'application/jsonp',
        'application/json5',
        'text/json',
        'json',
        '',
      ];
      for (const type of bad) {
        expect(await post('{}', { 'content-type': type })).toEqual([415, 'unsupported_media_type']);
      }
      expect(await post(new Uint8Array([0x7b, 0x7d]), {})).toEqual([415, 'unsupported_media_type']);
    });

    test('4 MiB are accepted, a byte more is not, with a length and in chunks', async () => {
      const whole = Buffer.from(`{"a":"${'x'.repeat(BODY_MAX_BYTES - 8)}"}`);
      const tooLarge = Buffer.concat([whole, Buffer.from(' ')]);
      const pieces = (bytes: Buffer) => [bytes.subarray(0, 1000), bytes.subarray(1000)];
      expect(whole.length).toBe(BODY_MAX_BYTES);
      expect(await post(whole)).toEqual([200, 'ok']);
      expect(await post(chunked(pieces(whole)))).toEqual([200, 'ok']);
      expect(await post(tooLarge)).toEqual([413, 'payload_too_large']);
      expect(await post(chunked(pieces(tooLarge)))).toEqual([413, 'payload_too_large']);
      const claimed = { ...json, 'content-length': String(BODY_MAX_BYTES + 1) };
      expect(await post('{}', claimed)).toEqual([413, 'payload_too_large']);
    });

    test('an operation without a credential takes 16 KiB', async () => {
      const { gateway } = world();
      const login = async (bytes: number) => {
        const body = `{"login":"${'x'.repeat(bytes - 12)}"}`;
        return (await gateway.post('/auth/login/', body, {})).status;
      };
      expect(await login(PUBLIC_BODY_MAX_BYTES)).toBe(422);
      expect(await login(PUBLIC_BODY_MAX_BYTES + 1)).toBe(413);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = `login=${'x'.repeat(PUBLIC_BODY_MAX_BYTES)}`;
      const legacy = await gateway.fetch('/login.php', { method: 'POST', body, headers: form });
      expect(legacy.status).toBe(413);
    });

    test('reading an endless body stops as soon as it is too large', async () => {
      let sent = 0;
      const endless = (function* () {
        for (;;) {
          sent += 65_536;
          yield new Uint8Array(65_536).fill(0x20);
        }
      })();
      expect(await post(chunked(endless))).toEqual([413, 'payload_too_large']);
      expect(sent).toBeLessThan(2 * BODY_MAX_BYTES);
    });

    test('an anonymous caller is refused before the body is read', async () => {
      let pulled = 0;
      const body = new ReadableStream<Uint8Array>(
        { pull: (controller) => controller.enqueue(new Uint8Array([++pulled])) },
        { highWaterMark: 0 },
      );
      const { gateway } = world();
      const response = await gateway.fetch('/ai/send/', { method: 'POST', body, headers: json });
      expect(response.status).toBe(401);
      expect(pulled).toBe(0);
    });

    test('unknown fields are ignored; __proto__ and constructor are ordinary names', async () => {
      const { user } = world();
      const alice = await user();
      const text = `{"room_id":"${alice.room}","ai":101,"message":"Hi","new_in_3":{"a":[1]},
        "__proto__":{"message":"polluted","stream":true},"constructor":{"prototype":{"x":1}},"toString":1}`;
      const answer = await world().gateway.data<Sent>('/ai/send/', text, alice);
      expect(answer.request).toBe('Hi');
      expect({}).not.toHaveProperty('x');
      expect({}).not.toHaveProperty('message');
      const { body } = await world().gateway.post(
        '/ai/send/',
        `{"room_id":"${alice.room}","ai":101,"__proto__":{"message":"Hi"}}`,
        alice,
      );
      expect(body.error?.details?.[0]?.path).toBe('message');
    });

    test('refuses a Content-Length that is not a number', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const input = { length: { toString: 'x' } };
      for (const path of ['/ai/send/', '/trust/bulk/', '/v1/responses', '/v1/embeddings']) {
        const body = { message: input, urls: input, input, model: 'x' };
        const { status } = await gateway.post(path, body, alice);
        expect([path, status]).toEqual([path, path.startsWith('/v1/') ? 400 : 422]);
      }
    });

    test('the last of two fields with the same name counts', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const text = `{"message":"first","room_id":"${alice.room}","ai":101,"message":"second"}`;
      expect((await gateway.data<Sent>('/ai/send/', text, alice)).request).toBe('second');
    });

    test('all wrong types are named at once', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const wrong = {
        room_id: 1,
        ai: '101',
        message: ['Hi'],
        system_prompt: 5,
        chat_depth: 1.5,
        max_output_tokens: '10',
        temperature: true,
        seed: '7',
        stream: 'yes',
      };
      const { status, body } = await gateway.post('/ai/send/', wrong, alice);
      expect([status, body.error?.code]).toEqual([422, 'invalid_request']);
      expect(body.error?.details?.map(({ path }) => path)).toEqual(Object.keys(wrong));
      for (const detail of body.error?.details ?? []) expect(detail.message).not.toBe('');
    });
  });
}

for (const dialect of dialects) {
  describe(`${dialect}: texts in a body`, () => {
    const world = sharedWorld(dialect);

    const chosen = [
      'наш текст\r\n\tс табуляцией',
      '👩‍👩‍👧‍👦 🇷🇺 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'e\u0301 é \u0301\u0327 ﷽ Z\u0351\u036B\u0343',
      'שלום \u202Eabc\u202C \u2066عربى\u2069',
      '\u0001\u0007\u001b[31m\u007f\u0085\u2028\u2029\ufeff\ufffe\uffff\u{10ffff}',
      '"\\/\b\f\n\r\t\' ; DROP TABLE messages; -- $1 ?1 :a {{x}} ${y} <script>',
      ' ',
    ];
    test('stay the same byte for byte: in send, at the provider and in the history', async () => {
      const { provider, user } = world();
      const alice = await user({ credit: 1000 });
      const anyText = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 60 })
        .map((text) => text.replaceAll('\0', '\u0001'));
      await fc.assert(
        fc.asyncProperty(anyText, anyText, async (message, system_prompt) => {
          const sent = await alice.send({ message, system_prompt });
          expect([sent.request, sent.response]).toEqual([message, `echo: ${message}`]);
          expect(provider.calls.at(-1)?.body['messages']).toEqual([
            { role: 'system', content: system_prompt },
            { role: 'user', content: message },
          ]);
          const [item] = await alice.history({ limit: 1 });
          expect(item).toMatchObject({
            message_id: String(sent.id),
            request: message,
            response: `echo: ${message}`,
            system_prompt,
          });
        }),
        { numRuns: 40, examples: chosen.map((text): [string, string] => [text, text]) },
      );
    }, 300_000);

    test('are the same with escaped and literal characters', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const start = `{"room_id":"${alice.room}","ai":101,"message":`;
      const escaped = `${start}"\\ud83d\\ude00 \\u0416\\/"}`;
      expect((await gateway.data<Sent>('/ai/send/', escaped, alice)).request).toBe('😀 Ж/');
    });
  });
}

describe('an upload', () => {
  const nobody = { address: '192.0.2.1', atEnd: () => undefined };
  const readerOf = (deadlineMs: number) =>
    new BodyReader({
      budget: new BodyBudget(2 ** 20),
      quick: new BodyThread(),
      thread: new BodyThread(),
      deadlineMs,
    });

  test('is refused if it does not end in time', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array([0x7b])),
    });
    const request = new Request('http://gateway.test/', { method: 'POST', body, headers: json });
    const error = await failure(readerOf(20).read(request, nobody));
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'invalid_json' });
    expect(String(error)).toContain('did not arrive within 0.02 seconds');
  });

  test('that is cut off is not logged as a failure', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new DOMException('closed', 'AbortError')),
    });
    const request = new Request('http://gateway.test/', { method: 'POST', body, headers: json });
    const error = await failure(readerOf(60_000).read(request, nobody));
    expect(error).toMatchObject({ code: 'invalid_json', message: 'the request body was cut off' });
  });

  test('is read if it ends in time', async () => {
    const pieces = Array.from('{"a": "ж"}', (char) => new TextEncoder().encode(char));
    const request = new Request('http://gateway.test/', {
      method: 'POST',
      body: chunked(pieces),
      headers: json,
    });
    expect((await readerOf(60_000).read(request, nobody)).value).toEqual({ a: 'ж' });
  });
});
