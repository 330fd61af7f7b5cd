/** Every error code of the closed list, provoked from outside, with its status and headers. */
import { describe, expect, test } from 'bun:test';
import { errorCodes, type ErrorCode } from '../../src/lib/errors.ts';
import { movableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { PASSWORD, type Answer, type PostOptions } from '../support/gateway.ts';
import { setUpSecondFactor } from '../support/second-factor.ts';
import { BODY_MAX_BYTES } from '../../src/http/body/read.ts';
import { sharedWorld, type Chatter, type World } from '../support/world.ts';

interface Case {
  code: ErrorCode;
  status: number;
  provoke: (world: World, alice: Chatter) => Promise<Answer>;
  /** Headers beyond those of every error: a pattern, or null for absent. */
  headers?: Record<string, RegExp | null>;
  details?: object[] | null;
}

/** Codes of the trust check, which its own tests cover. */
const elsewhere: readonly ErrorCode[] = [
  'rate_limited',
  'allowance_used_up',
  'voucher_used',
  'voucher_ended',
  'invitation_ended',
  'password_required',
];

const clock = movableClock();

const bearer = { 'www-authenticate': /^Bearer$/ };
const noRepeat = { 'x-should-retry': /^false$/ };
const seconds = { 'retry-after': /^[1-9]\d*$/ };
const once = (key: string): PostOptions => ({ headers: { 'idempotency-key': key } });

/** A send that the provider answers with a fault. */
const faulty =
  (...reply: Parameters<World['provider']['script']>) =>
  async ({ provider }: World, alice: Chatter): Promise<Answer> => {
    await provider.script(...reply);
    const answer = await alice.trySend();
    await provider.script('good');
    return answer;
  };

const cases: Case[] = [
  {
    code: 'invalid_json',
    status: 400,
    provoke: ({ gateway }, alice) => gateway.post('/ai/send/', '{', alice),
  },
  {
    code: 'unauthenticated',
    status: 401,
    provoke: ({ gateway }) => gateway.post('/ai/send/'),
    headers: bearer,
  },
  {
    code: 'invalid_token',
    status: 401,
    provoke: ({ gateway }) => gateway.post('/ai/send/', {}, { token: 'x.y.z' }),
    headers: bearer,
  },
  {
    code: 'token_expired',
    status: 401,
    async provoke({ gateway }, alice) {
      const soon = { name: 'short', expiresAt: clock.now() + 1_000 };
      const { key } = await gateway.core.keys.create(alice.userId, soon);
      clock.forward(1_000);
      return gateway.post('/ai/send/', {}, { token: key });
    },
    headers: bearer,
  },
  {
    code: 'token_revoked',
    status: 401,
    async provoke({ gateway }, alice) {
      await gateway.data<object>('/auth/logout/', {}, alice);
      return gateway.post('/ai/send/', {}, alice);
    },
    headers: bearer,
  },
  {
    code: 'wrong_credentials',
    status: 401,
    provoke: ({ gateway }, { login }) => gateway.post('/auth/login/', { login, password: 'no' }),
    headers: bearer,
  },
  {
    code: 'code_required',
    status: 401,
    async provoke({ gateway }, alice) {
      await setUpSecondFactor(gateway, clock, alice);
      return gateway.post('/auth/login/', { login: alice.login, password: PASSWORD });
    },
    headers: bearer,
  },
  {
    code: 'code_invalid',
    status: 401,
    async provoke({ gateway }, alice) {
      await setUpSecondFactor(gateway, clock, alice);
      const given = { login: alice.login, password: PASSWORD, code: '12345' };
      return gateway.post('/auth/login/', given);
    },
    headers: bearer,
  },
  {
    code: 'insufficient_funds',
    status: 402,
    provoke: async ({ user }) => (await user({ credit: 0.01 })).trySend({ max_output_tokens: 500 }),
    headers: { 'x-should-retry': /^false$/ },
    details: [
      { path: 'needed', message: expect.stringMatching(/^0\.\d+$/) },
      { path: 'available', message: '0.01' },
      { path: 'max_output_tokens', message: expect.stringMatching(/^[1-9]\d*$/) },
    ],
  },
  {
    code: 'forbidden',
    status: 403,
    provoke: ({ gateway }, alice) => gateway.post('/admin/users/', {}, alice),
  },
  {
    code: 'user_blocked',
    status: 403,
    async provoke({ gateway }, alice) {
      await gateway.core.users.setBlocked(alice.userId, true);
      return gateway.post('/ai/send/', {}, alice);
    },
  },
  { code: 'not_found', status: 404, provoke: ({ gateway }) => gateway.post('/nowhere/') },
  {
    code: 'room_not_found',
    status: 404,
    provoke: (_, alice) => alice.trySend({ room_id: 'a'.repeat(32) }),
  },
  { code: 'model_not_found', status: 404, provoke: (_, alice) => alice.trySend({ ai: 404 }) },
  {
    code: 'method_not_allowed',
    status: 405,
    async provoke({ gateway }) {
      const response = await gateway.fetch('/ai/send/');
      const body = (await response.json()) as Answer['body'];
      return { status: response.status, headers: response.headers, body };
    },
    headers: { allow: /^POST$/ },
  },
  {
    code: 'payload_too_large',
    status: 413,
    provoke: ({ gateway }, alice) =>
      gateway.post('/ai/send/', ' '.repeat(BODY_MAX_BYTES + 1), alice),
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    provoke: ({ gateway }, alice) =>
      gateway.post('/ai/send/', {}, { ...alice, headers: { 'content-type': 'text/plain' } }),
  },
  {
    code: 'room_taken',
    status: 409,
    provoke: async ({ gateway, user }, alice) =>
      gateway.post('/ai/room/', { room_id: (await user()).room }, alice),
  },
  {
    code: 'idempotency_in_progress',
    status: 409,
    async provoke({ provider }, alice) {
      await provider.script('hold');
      const first = alice.send({}, once('progress'));
      await provider.held(1);
      const second = await alice.trySend({}, once('progress'));
      await provider.script('good');
      provider.release();
      await first;
      return second;
    },
  },
  {
    code: 'invalid_request',
    status: 422,
    provoke: (_, alice) => alice.trySend({ message: '' }),
    details: [{ path: 'message', message: 'must not be empty' }],
  },
  {
    code: 'input_too_long',
    status: 422,
    provoke: (_, alice) => alice.trySend({ message: 'a b '.repeat(9_000) }),
  },
  {
    code: 'chat_mode_not_allowed',
    status: 422,
    provoke: (_, alice) => alice.trySend({ ai: 103, chat_depth: 1 }),
  },
  {
    code: 'idempotency_key_reused',
    status: 422,
    async provoke(_, alice) {
      await alice.send({}, once('reused'));
      return alice.trySend({ message: 'another' }, once('reused'));
    },
  },
  {
    code: 'content_refused',
    status: 422,
    provoke: faulty({ status: 400, body: { error: { message: 'no', code: 'content_filter' } } }),
  },
  {
    code: 'too_many_attempts',
    status: 429,
    async provoke({ gateway }, { login }) {
      for (;;) {
        const answer = await gateway.post('/auth/login/', { login, password: 'no' });
        if (answer.status !== 401) return answer;
      }
    },
    headers: seconds,
  },
  { code: 'provider_error', status: 502, provoke: faulty('500'), headers: noRepeat },
  {
    code: 'provider_unavailable',
    status: 503,
    provoke: faulty('429'),
    headers: { ...noRepeat, ...seconds },
  },
  { code: 'provider_timeout', status: 504, provoke: faulty('408'), headers: noRepeat },
  {
    code: 'internal_error',
    status: 500,
    // Also after a provider call: the image was made and could not be stored.
    async provoke({ gateway }, alice) {
      const { images } = gateway.core;
      const save = images.save.bind(images);
      images.save = () => Promise.reject(new Error('no room left for rooms'));
      const answer = await alice.trySend({ ai: 103 });
      images.save = save;
      expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
      return answer;
    },
    headers: noRepeat,
  },
  {
    code: 'overloaded',
    status: 503,
    // Last of all, as the gateway is stopping from here on.
    async provoke({ gateway }, alice) {
      await gateway.app.stop(0);
      return alice.trySend();
    },
    headers: { ...seconds, 'x-should-retry': null },
  },
];

test('every code is tested here or listed as tested elsewhere', () => {
  expect(cases.map(({ code }) => code).toSorted()).toEqual(
    errorCodes.filter((code) => !elsewhere.includes(code)).toSorted(),
  );
});

for (const dialect of dialects) {
  describe(`${dialect}: error`, () => {
    const world = sharedWorld(dialect, { clock });

    for (const { code, status, provoke, headers, details = null } of cases) {
      test(`${status} ${code}`, async () => {
        const answer = await provoke(world(), await world().user());
        expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
        expect(answer.body.status).toBe('error');
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(answer.body.request_id).toBe(answer.headers.get('x-request-id') ?? 'none');
        const message = answer.body.error?.message ?? '';
        expect(message.length).toBeGreaterThan(10);
        // The caller's message names neither this server nor the provider.
        expect(message).not.toMatch(/scripted|127\.0\.0\.1|sqlite|postgres|rooms|at \w+ \(/i);
        if (details) expect(answer.body.error?.details).toEqual(details as never);
        const all = { 'www-authenticate': null, allow: null, 'x-should-retry': null, ...headers };
        for (const [name, pattern] of Object.entries(all)) {
          if (pattern) expect(answer.headers.get(name)).toMatch(pattern);
          else expect([name, answer.headers.get(name)]).toEqual([name, null]);
        }
      });
    }
  });
}
