/** The log of access: each event, without secrets, and rate-limited if anyone can cause it. */
import { describe, expect, test } from 'bun:test';
import { SecurityLog, TALLY_MS } from '../../src/users/index.ts';
import { securityEvents } from '../../src/users/security-log.ts';
import { dialects } from '../support/databases.ts';
import {
  ADDRESS,
  codeOf,
  openWorld,
  PASSWORD,
  TestClock,
  recordingLog,
  type LogLine,
} from './world.ts';

const WRONG = 'a wrong password of somebody';
const TYPED = 'hunter2-typed-for-a-login';

function openLog() {
  const logged: LogLine[] = [];
  const clock = new TestClock();
  return { logged, clock, security: new SecurityLog({ log: recordingLog(logged), clock }) };
}

describe('a frequent event', () => {
  test('is logged at once, then once a minute with its count', () => {
    const { logged, clock, security } = openLog();
    for (let times = 0; times < 1_000; times++) {
      security.counted('credential_refused', 'invalid_token');
      security.counted('credential_refused', 'token_expired');
      clock.ticks += 1;
    }
    expect(logged.map(({ reason, count }) => [reason, count])).toEqual([
      ['invalid_token', 1],
      ['token_expired', 1],
    ]);
    clock.ticks = TALLY_MS;
    security.counted('credential_refused', 'invalid_token', { address: ADDRESS });
    expect(logged.at(-1)).toMatchObject({
      reason: 'invalid_token',
      count: 1_000,
      address: ADDRESS,
    });
  });

  test('that has ended is logged by the next flush, complete and once', () => {
    const { logged, clock, security } = openLog();
    for (let times = 0; times < 5; times++) security.counted('access_refused', 'admins_only');
    security.flush();
    expect(logged).toHaveLength(1);
    clock.ticks = TALLY_MS;
    security.flush();
    security.flush();
    expect(logged.map(({ count }) => count)).toEqual([1, 4]);
    security.counted('access_refused', 'admins_only');
    security.flush();
    expect(logged).toHaveLength(2);
    security.flush(true);
    expect(logged.map(({ count }) => count)).toEqual([1, 4, 1]);
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: the log has`, () => {
    test('logins, refusals, sessions, passwords and keys, with who and from where, without a secret', async () => {
      await using world = await openWorld(dialect);
      const { logged, auth, users, keys } = world;
      const alice = await world.add('alice');
      const who = { user: alice.id, login: 'alice' };
      const { token } = await world.login('Alice');
      await codeOf(world.login('alice', WRONG));
      await codeOf(world.login(TYPED, WRONG));
      const caller = await auth.authenticate(token);
      const fresh = await auth.refresh(caller);
      const key = await keys.create(alice.id, { name: 'laptop', scope: 'chat' });
      await keys.revoke(key.id);
      const live = await auth.authenticate(fresh.token);
      const change = { address: ADDRESS, next: 'another good password' };
      await codeOf(auth.changePassword(live, { ...change, current: WRONG }));
      await auth.changePassword(live, { ...change, current: PASSWORD });
      await users.setBlocked(alice.id, true);
      await codeOf(world.login('alice', change.next));
      await users.setBlocked(alice.id, false);
      const last = await world.login('alice', change.next);
      await auth.logout(await auth.authenticate(last.token));
      const from = { address: ADDRESS };
      expect(logged.map(({ level: _level, msg: _msg, ...facts }) => facts)).toEqual([
        { event: 'login_succeeded', ...who, ...from },
        { event: 'login_refused', reason: 'wrong_credentials', ...who, ...from },
        { event: 'login_refused', reason: 'wrong_credentials', user: null, login: null, ...from },
        { event: 'token_refreshed', ...who },
        { event: 'key_made', user: alice.id, key: key.id, scope: 'chat', expires_at: null },
        { event: 'key_revoked', user: alice.id, key: key.id },
        { event: 'password_change_refused', reason: 'wrong_credentials', ...who, ...from },
        { event: 'password_changed', ...who, ...from },
        { event: 'login_refused', reason: 'user_blocked', ...who, ...from },
        { event: 'login_succeeded', ...who, ...from },
        { event: 'logout', ...who },
      ]);
      expect(logged.every(({ msg }) => msg === 'security')).toBe(true);
      const secrets = [PASSWORD, WRONG, TYPED, change.next, token, fresh.token, key.key, 'laptop'];
      const text = JSON.stringify(logged);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    });

    test('the number of throttled logins and refused credentials', async () => {
      await using world = await openWorld(dialect);
      const { logged, auth, security, clock } = world;
      const alice = await world.add('alice');
      for (let times = 0; times < 15; times++) await codeOf(world.login('alice', WRONG));
      const { key } = await world.keys.create(alice.id, { name: 'bot', scope: 'chat' });
      for (let times = 0; times < 3; times++) {
        await codeOf(auth.authenticate('no token at all'));
        await codeOf(auth.authenticate(`${key.slice(0, -1)}x`));
        await codeOf(auth.authenticate(key, 'account'));
        await codeOf(auth.authenticate(undefined));
      }
      clock.ticks += TALLY_MS;
      security.flush();
      const counts = logged
        .filter(({ count }) => count !== undefined)
        .map(({ event, reason, count }) => [event, reason, count]);
      expect(counts).toEqual([
        ['login_throttled', 'too_many_attempts', 1],
        ['credential_refused', 'invalid_token', 1],
        ['access_refused', 'credential', 1],
        ['login_throttled', 'too_many_attempts', 4],
        ['credential_refused', 'invalid_token', 5],
        ['access_refused', 'credential', 2],
      ]);
      expect(JSON.stringify(logged)).not.toContain(key.slice(20));
    });
  });
}

test('every event is in the documentation, and no other', async () => {
  const manual = await Bun.file(`${import.meta.dir}/../../docs/operating.md`).text();
  const [, section = ''] = /\n## Security events\n([\s\S]*?)\n## /.exec(manual) ?? [];
  const cells = [...section.matchAll(/^\| (`\w[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(documented).toEqual([...securityEvents]);
});
