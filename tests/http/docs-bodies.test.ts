/** The OpenAPI document's bodies compared with what the gateway accepts and refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  problems,
  requestSchema,
  readDocument,
  type Document,
  type Json,
} from '../support/openapi.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';

let world: World;
let admin: Chatter;
let document: Document;

beforeAll(async () => {
  world = await openWorld('sqlite');
  admin = await world.user({ isAdmin: true });
  document = await readDocument(await world.gateway.fetch('/openapi.json'));
});
afterAll(() => world[Symbol.asyncDispose]());

/** Every schema in a document, wherever it stands. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

describe('the OpenAPI document', () => {
  test('requires a body where one of its fields is required', () => {
    let needed = 0;
    for (const [path, { post }] of Object.entries(document.paths)) {
      if (!post?.requestBody) continue;
      const required = (requestSchema(document, path)['required'] ?? []) as string[];
      if (required.length > 0) needed++;
      expect([path, post.requestBody.required]).toEqual([path, required.length > 0]);
    }
    expect(needed).toBeGreaterThan(20);
  });

  test('describes each required field', () => {
    let count = 0;
    for (const { required, properties } of objectsIn(document)) {
      if (!Array.isArray(required)) continue;
      count++;
      expect(Object.keys((properties ?? {}) as Json)).toEqual(expect.arrayContaining(required));
    }
    expect(count).toBeGreaterThan(50);
  });

  test('allows unknown fields in bodies and answers under /v1', () => {
    const v1 = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
    for (const [path, { post }] of v1) {
      if (!post?.requestBody) continue;
      const answer = post.responses['200']?.content['application/json']?.schema ?? {};
      const name = String(answer['$ref']).split('/').at(-1) ?? '';
      const given = requestSchema(document, path);
      // Audio has no fields.
      const isAudio = path === '/v1/audio/speech';
      const open = isAudio ? [given] : [given, document.components.schemas[name]];
      for (const schema of open) {
        expect([path, schema?.['additionalProperties']]).toEqual([path, {}]);
        expect(Object.keys((schema?.['properties'] ?? {}) as Json).length).toBeGreaterThan(0);
      }
    }
  });

  test('has the bounds that the gateway enforces', async () => {
    const { room, login } = admin;
    const send = { room_id: room, ai: 101, message: 'Hi' };
    const key = { login, name: 'laptop' };
    const dollar = {
      list: { openai: { id: 'openai', models: { m: { cost: { input: 1, output: 2 } } } } },
      usd_rate: '92.5',
    };
    /** Valid bodies, with invalid values of one field. */
    const refused: [path: string, body: Json, field: string, values: unknown[]][] = [
      ['/ai/room/', {}, 'room_id', ['short', 'ъ'.repeat(32), `${'a'.repeat(31)}!`, '']],
      ['/ai/send/', send, 'max_output_tokens', [0, -1, 1.5]],
      ['/ai/send/', send, 'temperature', [-0.1, 101]],
      ['/ai/estimate/', send, 'max_output_tokens', [0]],
      ['/admin/users/quota/', { login }, 'requests_per_minute', [0, 1_000_001]],
      ['/admin/users/quota/', { login }, 'tokens_per_minute', [0, 1_000_000_000_001]],
      ['/admin/users/quota/', { login }, 'models', [[], Array.from({ length: 1001 }, () => 1)]],
      ['/admin/users/quota/', { login }, 'rubles_per_day', [-1, '-1', 8_000_000_001, 'x', '']],
      [
        '/admin/users/limit/',
        { login },
        'limit',
        [-1, '-0.5', '-0', '8000000000.5', 'all', '1.2345678'],
      ],
      ['/admin/users/limit/', { login }, 'limit', ['1e2', ' 5', '5 ', '5\n']],
      [
        '/admin/users/credit/',
        { login, reason: 'a test' },
        'amount',
        [9e9, '9000000000', '1,5', '1e2', ' 5'],
      ],
      ['/admin/users/add/', { login: 'carol' }, 'credit', [-1, '-1', 8.1e9, 'much']],
      ['/admin/users/add/', { login: 'carol' }, 'password', ['7 chars', 'x'.repeat(1025)]],
      ['/admin/users/add/', { login: 'carol' }, 'trust_allowance', [-1]],
      ['/admin/users/add/', {}, 'login', ['']],
      ['/admin/users/password/', { login }, 'password', ['', '7 chars', 'x'.repeat(1025)]],
      ['/account/password/', { current_password: 'x' }, 'new_password', ['', 'x'.repeat(1025)]],
      ['/account/keys/', {}, 'name', ['', ' ', 'x'.repeat(101), 'a\nb', 'a\u0085']],
      ['/admin/keys/create/', key, 'name', ['', '\t', 'x'.repeat(101)]],
      ['/admin/keys/create/', key, 'expires_at', [0, -1, 8_640_000_000_001]],
      ['/admin/catalogue/import/', dollar, 'usd_rate', [-1, '-1', 'x']],
    ];
    for (const [path, body, field, values] of refused) {
      const schema = requestSchema(document, path);
      for (const value of values) {
        const wrong = { ...body, [field]: value };
        expect([path, field, value, problems(document, schema, wrong).length > 0]).toEqual([
          path,
          field,
          value,
          true,
        ]);
        const { status } = await world.gateway.post(path, wrong, admin);
        // The current password is wrong as well, and is checked first.
        expect([path, field, value, status]).toEqual([
          path,
          field,
          value,
          path === '/account/password/' ? 401 : 422,
        ]);
      }
    }
  });

  test('has no bound that the gateway does not enforce', async () => {
    const { login } = await world.user();
    const { room } = admin;
    const send = { room_id: room, ai: 101, message: 'Hi' };
    const taken: [path: string, body: Json][] = [
      ['/ai/room/', { room_id: null }],
      ['/ai/room/', { room_id: `-_aZ09${'x'.repeat(26)}` }],
      ['/ai/estimate/', { ...send, max_output_tokens: 1, temperature: 0, seed: 1.5 }],
      ['/ai/estimate/', { ...send, max_output_tokens: null, temperature: 2 }],
      ['/admin/users/quota/', { login, requests_per_minute: 1, tokens_per_minute: 1 }],
      ['/admin/users/quota/', { login, requests_per_minute: 1e6, tokens_per_minute: 1e12 }],
      ['/admin/users/quota/', { login, models: Array.from({ length: 1000 }, () => 1) }],
      ['/admin/users/quota/', { login, rubles_per_day: '0.000001' }],
      ['/admin/users/quota/', { login, rubles_per_day: 8_000_000_000, models: null }],
      ['/admin/users/limit/', { login, limit: '8000000000.000000' }],
      ['/admin/users/limit/', { login, limit: '7999999999.999999' }],
      ['/admin/users/limit/', { login, limit: '0' }],
      ['/admin/users/limit/', { login, limit: 0.000001 }],
      ['/admin/users/credit/', { login, amount: '+0010.5', reason: 'a test' }],
      ['/admin/users/credit/', { login, amount: '-0.1', reason: 'a test' }],
      ['/admin/users/credit/', { login, amount: 1e2, reason: 'a test' }],
      ['/admin/users/add/', { login: 'dora', password: 'й'.repeat(512), credit: '1' }],
      ['/admin/users/add/', { login: 'eve', password: '8 chars!', credit: 0, trust_allowance: 0 }],
      ['/admin/keys/create/', { login, name: '🔑'.repeat(100), expires_at: 8_640_000_000_000 }],
      ['/admin/keys/create/', { login, name: ' x ', expires_at: null }],
    ];
    for (const [path, body] of taken) {
      expect([path, body, problems(document, requestSchema(document, path), body)]).toEqual([
        path,
        body,
        [],
      ]);
      const { status, body: answer } = await world.gateway.post(path, body, admin);
      expect([path, body, status, answer]).toEqual([path, body, 200, answer]);
    }
  });

  test('describes room ids the same everywhere', () => {
    const pattern = '^[0-9A-Za-z_-]{32}$';
    const good = { room_id: 'a'.repeat(32), ai: 1, message: 'Hi' };
    for (const path of ['/ai/send/', '/ai/estimate/', '/ai/history/', '/ai/room/delete/']) {
      const schema = requestSchema(document, path);
      expect([path, problems(document, schema, good)]).toEqual([path, []]);
      for (const room_id of ['a'.repeat(31), `${'a'.repeat(31)}é`]) {
        expect([path, problems(document, schema, { ...good, room_id })]).not.toEqual([path, []]);
      }
    }
    const parameters = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation.parameters ?? []),
    );
    const named = (wanted: string) => parameters.filter(({ name }) => name === wanted);
    expect(named('X-Room-Id').length).toBeGreaterThan(0);
    for (const { schema } of named('X-Room-Id')) expect(schema).toMatchObject({ pattern });
    for (const { schema } of named('Idempotency-Key')) {
      expect(schema).toMatchObject({ minLength: 1, maxLength: 255 });
    }
  });
});
