/**
 * AI Model Gateway API 2.0.0, "Endpoints" and "Limits": a test for every row of every request body and of
 * the table of limits. The names of the tests are the rows.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { PASSWORD } from '../support/gateway.ts';
import { sharedWorld, type Chatter, type ModelLine, type Sent } from '../support/world.ts';

const models: ModelLine[] = [
  { id: 101 },
  { id: 103, type: 'IMAGE', is_chat_mode_allowed: 0 },
  { id: 104, min_temperature: 0.5, max_temperature: 1.5, max_output_tokens: 77 },
  { id: 105, is_chat_mode_allowed: 0 },
  { id: 106, max_input_tokens: 40 },
];

/** 32 lowercase hexadecimal digits of a UUID of version 4. */
const UUID_V4 = /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

const id32 = () => crypto.randomUUID().replaceAll('-', '');

for (const dialect of dialects) {
  describe(`${dialect}: specification, requests`, () => {
    const world = sharedWorld(dialect, { models });
    let alice: Chatter;
    beforeAll(async () => {
      alice = await world().user({ credit: 1_000 });
    });

    const full = () => ({ room_id: alice.room, ai: 101, message: 'Hi' });
    const without = (body: object, field: string) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
    /** The field that a refusal names, `ok` for a success. A refused request calls no provider and holds nothing. */
    const refused = async (path: string, body: object, token: string | undefined = alice.token) => {
      const calls = world().provider.calls.length;
      const funds = await alice.funds();
      const { status, body: answer } = await world().gateway.post(path, body, { token });
      if (status === 200) return 'ok';
      expect([status, answer.error?.code]).toEqual([422, 'invalid_request']);
      expect(world().provider.calls.length).toBe(calls);
      expect(await alice.funds()).toEqual(funds);
      return answer.error?.details?.[0]?.path;
    };
    const send = (body: object) => refused('/ai/send/', { ...full(), ...body });
    const sentBody = () => world().provider.calls.at(-1)?.body ?? {};

    describe('Login /auth/login/', () => {
      test('login: string, required', async () => {
        const body = { login: alice.login, password: PASSWORD };
        expect(await refused('/auth/login/', body, undefined)).toBe('ok');
        expect(await refused('/auth/login/', without(body, 'login'), undefined)).toBe('login');
        for (const login of [null, 1, [], {}]) {
          expect(await refused('/auth/login/', { ...body, login }, undefined)).toBe('login');
        }
      });

      test('password: string, required', async () => {
        const body = { login: alice.login, password: PASSWORD };
        expect(await refused('/auth/login/', without(body, 'password'), undefined)).toBe(
          'password',
        );
        for (const password of [null, 1, [], {}]) {
          expect(await refused('/auth/login/', { ...body, password }, undefined)).toBe('password');
        }
      });

      test('needs no bearer token, and ignores a bad one', async () => {
        const body = { login: alice.login, password: PASSWORD };
        expect(await refused('/auth/login/', body, 'no.good.token')).toBe('ok');
      });
    });

    describe('Obtain or register a room /ai/room/', () => {
      test('room_id: absent, a new one is generated', async () => {
        const room = (body: object | string) =>
          world().gateway.data<{ room_id: string }>('/ai/room/', body, alice);
        const [first, second] = [await room({}), await room('')];
        for (const { room_id } of [first, second]) expect(room_id).toMatch(UUID_V4);
        expect(new Set([first.room_id, second.room_id, alice.room]).size).toBe(3);
      });

      test('room_id: null, a new one is generated', async () => {
        const body = { room_id: null };
        const { room_id } = await world().gateway.data<{ room_id: string }>(
          '/ai/room/',
          body,
          alice,
        );
        expect(room_id).toMatch(UUID_V4);
      });

      test('room_id: an existing one binds to that session', async () => {
        const { id } = await alice.send({ message: 'earlier' });
        const body = { room_id: alice.room };
        expect(await world().gateway.data<object>('/ai/room/', body, alice)).toEqual(body);
        const history = await alice.history();
        expect(history.at(-1)?.message_id).toBe(String(id));
      });

      test('room_id: a string of 32 characters or null', async () => {
        for (const room_id of [1, '', 'a'.repeat(31), 'a'.repeat(33), [], {}]) {
          expect(await refused('/ai/room/', { room_id })).toBe('room_id');
        }
      });
    });

    describe('List models /ai/settings/', () => {
      test('POST with an empty JSON object', async () => {
        expect(await refused('/ai/settings/', {})).toBe('ok');
      });

      test('data.ai is an array of Model objects', async () => {
        const { ai } = await world().gateway.data<{ ai: { id: number }[] }>(
          '/ai/settings/',
          {},
          alice,
        );
        expect(ai.map(({ id }) => id)).toEqual([1, 2, 101, 103, 104, 105, 106]);
      });
    });

    describe('Send /ai/send/', () => {
      const required: [field: string, type: string, wrong: unknown[]][] = [
        [
          'room_id',
          'string of exactly 32 characters',
          [null, 1, '', 'a'.repeat(31), 'a'.repeat(33)],
        ],
        ['ai', 'integer', [null, '101', 1.5, 1e300, true]],
        ['message', 'string', [null, 1, [], {}, '']],
      ];
      for (const [field, type, wrong] of required) {
        test(`${field}: ${type}, required`, async () => {
          expect(await send({})).toBe('ok');
          expect(await refused('/ai/send/', without(full(), field))).toBe(field);
          for (const value of wrong) expect(await send({ [field]: value })).toBe(field);
        });
      }

      test('room_id: a room obtained from the room operation', async () => {
        expect(await alice.code({ room_id: id32() })).toBe('room_not_found');
      });

      test('ai: a model id from the list of models', async () => {
        expect(await alice.code({ ai: 99_999 })).toBe('model_not_found');
      });

      test('message: a question for TEXT, a description for IMAGE', async () => {
        expect((await alice.send({ message: 'a task' })).response).toBe('echo: a task');
        await alice.send({ ai: 103, message: 'a red gate' });
        expect(sentBody()).toMatchObject({ prompt: 'a red gate' });
      });

      test('system_prompt: string, not required', async () => {
        for (const wrong of [1, [], {}]) {
          expect(await send({ system_prompt: wrong })).toBe('system_prompt');
        }
        await alice.send({ system_prompt: 'You are a gate' });
        expect(sentBody()['messages']).toEqual([
          { role: 'system', content: 'You are a gate' },
          { role: 'user', content: 'Hello' },
        ]);
      });

      test('chat_depth: integer >= 0, default 0: independent requests', async () => {
        for (const wrong of [-1, 0.5, '1', 1e300, []]) {
          expect(await send({ chat_depth: wrong })).toBe('chat_depth');
        }
        for (const body of [{}, { chat_depth: 0 }]) {
          expect((await alice.send(body)).context_used).toBe(0);
          expect(sentBody()['messages']).toBeArrayOfSize(1);
        }
        expect((await alice.send({ chat_depth: 1 })).context_used).toBe(1);
      });

      test("max_output_tokens: integer, default the model's maximum", async () => {
        for (const wrong of [0.5, '1', [], 0, -1, 2 ** 53, 1e300]) {
          expect(await send({ max_output_tokens: wrong })).toBe('max_output_tokens');
        }
        await alice.send({ ai: 104 });
        expect(sentBody()['max_tokens']).toBe(77);
        await alice.send({ ai: 104, max_output_tokens: 5 });
        expect(sentBody()['max_tokens']).toBe(5);
      });

      test('temperature: number, not required', async () => {
        for (const wrong of ['1', true, [], {}]) {
          expect(await send({ temperature: wrong })).toBe('temperature');
        }
        await alice.send({ temperature: 0.7 });
        expect(sentBody()['temperature']).toBe(0.7);
        await alice.send();
        expect(sentBody()).not.toHaveProperty('temperature');
      });

      test('seed: number or null, default random', async () => {
        for (const wrong of ['1', true, [], {}]) expect(await send({ seed: wrong })).toBe('seed');
        for (const seed of [undefined, null]) {
          await alice.send({ seed });
          expect(sentBody()).not.toHaveProperty('seed');
        }
      });

      test('seed: the same with the same parameters gives an identical image', async () => {
        const bytes = async (seed: number) => {
          const sent = await alice.send({ ai: 2, message: 'a gate at dawn', seed });
          const image = await world().gateway.fetch(new URL(sent.response).pathname);
          return Buffer.from(await image.arrayBuffer()).toString('base64');
        };
        expect(await bytes(7)).toBe(await bytes(7));
        expect(await bytes(7)).not.toBe(await bytes(8));
      });
    });

    describe('Read history', () => {
      test('room_id: string of 32 characters or null, required', async () => {
        expect(await refused('/ai/history/', { room_id: alice.room })).toBe('ok');
        expect(await refused('/ai/history/', { room_id: null })).toBe('ok');
        expect(await refused('/ai/history/', {})).toBe('room_id');
        for (const room_id of [1, '', 'a', 'a'.repeat(31), 'a'.repeat(33)]) {
          expect(await refused('/ai/history/', { room_id })).toBe('room_id');
        }
      });

      test('data are all requests and responses of the room', async () => {
        const bob = await world().user();
        const sent: Sent[] = [];
        for (const message of ['one', 'two', 'three']) sent.push(await bob.send({ message }));
        const items = await bob.history();
        expect(items.map(({ request, response }) => [request, response])).toEqual(
          sent.map(({ request, response }) => [request, response]),
        );
      });
    });

    describe('Limits', () => {
      test('room_id length (room, send, history): exactly 32 characters', async () => {
        for (const length of [0, 1, 31, 33, 64]) {
          const room_id = 'a'.repeat(length);
          for (const path of ['/ai/room/', '/ai/send/', '/ai/history/']) {
            expect([path, await refused(path, { ...full(), room_id })]).toEqual([path, 'room_id']);
          }
        }
      });

      test('chat_depth (send): integer, at least 0, default 0', async () => {
        expect(await send({ chat_depth: -1 })).toBe('chat_depth');
        expect(await send({ chat_depth: 1.5 })).toBe('chat_depth');
        expect(await send({ chat_depth: 0 })).toBe('ok');
        expect(await send({ chat_depth: 1_000_000 })).toBe('ok');
      });

      test("max_output_tokens (send): at most the model's, default equals it", async () => {
        expect(await send({ ai: 104, max_output_tokens: 77 })).toBe('ok');
        expect(await send({ ai: 104, max_output_tokens: 1 })).toBe('ok');
        expect(sentBody()['max_tokens']).toBe(1);
        expect(await send({ ai: 104, max_output_tokens: 78 })).toBe('max_output_tokens');
        expect(await send({ ai: 103, max_output_tokens: 1_001 })).toBe('max_output_tokens');
        expect(await send({ ai: 104 })).toBe('ok');
        expect(sentBody()['max_tokens']).toBe(77);
      });

      test('temperature (send): from min_temperature to max_temperature of the model', async () => {
        const ranges: [ai: number, within: number[], outside: number[]][] = [
          [101, [0, 2], [-0.000001, 2.000001, -1, 100, 1e300]],
          [104, [0.5, 1, 1.5], [0.499, 1.501, 0, 2, -1]],
          [103, [0, 2], [2.1]],
        ];
        for (const [ai, within, outside] of ranges) {
          for (const temperature of within) {
            expect(await send({ ai, temperature })).toBe('ok');
            if (ai !== 103) expect(sentBody()['temperature']).toBe(temperature);
          }
          for (const temperature of outside) {
            expect(await send({ ai, temperature })).toBe('temperature');
          }
        }
      });

      test('max_input_tokens (model): the input limit', async () => {
        expect(await alice.code({ message: 'a b '.repeat(4_001) })).toBe('input_too_long');
        for (const text of [
          { message: 'word '.repeat(60) },
          { system_prompt: 'word '.repeat(60) },
        ]) {
          const { status, body } = await alice.trySend({ ai: 106, ...text });
          expect([status, body.error?.code]).toEqual([422, 'input_too_long']);
        }
        // 120 bytes, but fewer than 40 tokens: the limit counts tokens.
        expect(await send({ ai: 106, message: 'word '.repeat(24) })).toBe('ok');
        // The bytes fit, so the tokens do.
        expect(await send({ message: 'x'.repeat(4_000 - 16) })).toBe('ok');
      });

      test('is_chat_mode_allowed (model): whether context is usable', async () => {
        expect(await send({ ai: 101, chat_depth: 1 })).toBe('ok');
        expect(await send({ ai: 105, chat_depth: 0 })).toBe('ok');
        for (const ai of [105, 103]) {
          const { status, body } = await alice.trySend({ ai, chat_depth: 1 });
          expect([status, body.error?.code]).toEqual([422, 'chat_mode_not_allowed']);
        }
      });
    });
  });
}
