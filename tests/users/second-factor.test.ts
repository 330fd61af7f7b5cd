/** Codes of a second factor wherever a password is checked: each is valid once, also across nodes. */
import { describe, expect, test } from 'bun:test';
import { TOTP, Secret } from 'otpauth';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { resealSecondFactors } from '../../src/users/index.ts';
import { CODE_RULE } from '../../src/users/second-factors.ts';
import { dialects } from '../support/databases.ts';
import { ADDRESS, codeOf, openNode, openWorld, PASSWORD, refusalOf, SECRET } from './world.ts';

const STEP_MS = 30_000;
const ELSEWHERE = '198.51.100.7';

type World = Awaited<ReturnType<typeof openWorld>>;

/** A user with a confirmed second factor; the time step of its first code is over. */
async function withFactor(world: World, login: string) {
  const user = await world.add(login);
  const { token } = await world.login(login);
  const caller = await world.auth.authenticate(token);
  const proof = { password: PASSWORD, address: ADDRESS };
  const { secret } = await world.auth.secondFactor.begin(caller, proof);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = () => totp.generate({ timestamp: world.clock.now() });
  const given = { code: code(), address: ADDRESS, ttlSeconds: 60 };
  const { codes } = await world.auth.secondFactor.confirm(caller, given);
  world.clock.pass(STEP_MS);
  return {
    user,
    token,
    codes,
    code,
    proof,
    login: (
      input: { code?: string; password?: string; address?: string } = {},
      node = world.auth,
    ) => node.login({ login, password: PASSWORD, address: ADDRESS, ...input }),
  };
}

for (const dialect of dialects) {
  describe(`${dialect}: a second factor`, () => {
    test('is requested only after the right password, and each code is valid once', async () => {
      await using world = await openWorld(dialect);
      const alice = await withFactor(world, 'alice');
      expect(await codeOf(world.auth.authenticate(alice.token))).toBe('token_revoked');
      expect(await codeOf(alice.login({ password: 'a wrong password' }))).toBe('wrong_credentials');
      const wrong = { password: 'a wrong password', code: alice.code() };
      expect(await codeOf(alice.login(wrong))).toBe('wrong_credentials');
      expect(await codeOf(alice.login())).toBe('code_required');
      expect(await codeOf(alice.login({ code: '' }))).toBe('code_required');
      expect(await codeOf(alice.login({ code: '000 00' }))).toBe('code_invalid');
      const code = alice.code();
      await world.auth.authenticate((await alice.login({ code })).token);
      expect(await codeOf(alice.login({ code }))).toBe('code_invalid');
      // Nor is a code of an earlier step valid after a later one.
      world.clock.pass(STEP_MS);
      const earlier = alice.code();
      world.clock.pass(STEP_MS);
      await alice.login({ code: `${alice.code().slice(0, 3)} ${alice.code().slice(3)}` });
      expect(await codeOf(alice.login({ code: earlier }))).toBe('code_invalid');
      // A user without one never needs a code.
      await world.add('bob');
      await world.auth.login({ login: 'bob', password: PASSWORD, address: ADDRESS, code: '1' });
    });

    test('one code sent by 20 logins to two nodes at once lets one in', async () => {
      await using world = await openWorld(dialect);
      const alice = await withFactor(world, 'alice');
      const other = openNode(world.db, world.clock).auth;
      for (const code of [alice.code(), alice.codes[0] ?? '']) {
        const logins = Array.from({ length: 20 }, (_, index) =>
          alice.login({ code }, index % 2 === 0 ? world.auth : other),
        );
        const results = await Promise.allSettled(logins);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        world.clock.pass(CODE_RULE.attempts * CODE_RULE.refillMs);
      }
    });

    test('can be guessed ten times, then once per five minutes; its owner still gets in', async () => {
      await using world = await openWorld(dialect);
      const alice = await withFactor(world, 'alice');
      const guess = () => refusalOf(alice.login({ code: '12345', address: ELSEWHERE }));
      for (let tries = 0; tries < CODE_RULE.attempts; tries++) {
        expect((await guess()).code).toBe('code_invalid');
      }
      expect(await guess()).toMatchObject({ code: 'too_many_attempts', retryAfterSeconds: 300 });
      const right = { code: alice.code(), address: ELSEWHERE };
      expect(await codeOf(alice.login(right))).toBe('too_many_attempts');
      await alice.login({ code: alice.code() });
      world.clock.pass(CODE_RULE.refillMs);
      await alice.login({ code: alice.code(), address: ELSEWHERE });
      const refused = world.logged.filter(({ event }) => event === 'login_refused');
      expect(refused.map(({ reason }) => reason)).toContain('code_invalid');
      expect(JSON.stringify(world.logged)).not.toContain('12345');
    });

    test('is replaced by each recovery code once; new ones end the former', async () => {
      await using world = await openWorld(dialect);
      const alice = await withFactor(world, 'alice');
      const [first = '', second = '', third = ''] = alice.codes;
      expect(new Set(alice.codes).size).toBe(10);
      const { token } = await alice.login({ code: first.toLowerCase().replaceAll('-', ' ') });
      expect(await codeOf(alice.login({ code: first }))).toBe('code_invalid');
      const { secondFactor } = world.auth;
      expect((await secondFactor.state(alice.user.id)).codesLeft).toBe(9);
      const caller = await world.auth.authenticate(token);
      expect(await codeOf(secondFactor.newCodes(caller, alice.proof))).toBe('code_required');
      const fresh = await secondFactor.newCodes(caller, { ...alice.proof, code: second });
      expect(await codeOf(alice.login({ code: third }))).toBe('code_invalid');
      await alice.login({ code: fresh[0] ?? '' });
      const stored = await world.db.query('SELECT * FROM recovery_codes');
      expect(stored).toHaveLength(10);
      expect(JSON.stringify(stored)).not.toContain(fresh[1]?.replaceAll('-', ''));
    });

    test('is stored encrypted, survives a change of the secret, and is deleted with its user', async () => {
      await using world = await openWorld(dialect);
      const alice = await withFactor(world, 'alice');
      const next = new Uint8Array(32).fill(8);
      const box = SecretBox.create(next, 'second-factor', SECRET);
      expect(await resealSecondFactors(world.db, box)).toBe(1);
      expect(await resealSecondFactors(world.db, box)).toBe(0);
      // This node has only the former secret, as after a loss: codes of the app fail, recovery codes do not.
      expect(await codeOf(alice.login({ code: alice.code() }))).toBe('code_invalid');
      await alice.login({ code: alice.codes[0] ?? '' });
      await world.users.erase(alice.user.id, () => Promise.resolve());
      for (const table of ['second_factors', 'recovery_codes']) {
        expect(await world.db.query(`SELECT * FROM ${table}`)).toEqual([]);
      }
    });
  });
}
