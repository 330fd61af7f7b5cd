/** One active admin must always remain. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { codeOf, openWorld, PASSWORD } from './world.ts';

const nothing = () => Promise.resolve();

for (const dialect of dialects) {
  describe(`${dialect}: the last admin`, () => {
    test('can be neither blocked, erased nor made a lesser user, until there is another', async () => {
      await using world = await openWorld(dialect);
      const { users } = world;
      const first = await users.add({ login: 'a', password: PASSWORD, role: 'admin' }, nothing);
      const user = await world.add('user');
      expect(await codeOf(users.setBlocked(first.id, true))).toBe('forbidden');
      expect(await codeOf(users.erase(first.id, nothing))).toBe('forbidden');
      for (const role of ['operator', 'user'] as const) {
        expect(await codeOf(users.setRole(first.id, role, 'admin'))).toBe('forbidden');
      }
      expect(await users.get(first.id)).toEqual(first);
      await users.setBlocked(user.id, true);
      const second = await users.add({ login: 'b', password: PASSWORD, role: 'admin' }, nothing);
      await users.setBlocked(first.id, true);
      // Of two admins one is blocked now, who does not count.
      expect(await codeOf(users.setBlocked(second.id, true))).toBe('forbidden');
      await users.setBlocked(first.id, true);
      await users.erase(first.id, nothing);
      expect(await users.isAdmin(second.id)).toBe(true);
    });

    test('is left when admins block, erase and demote each other at once', async () => {
      await using world = await openWorld(dialect);
      const { users } = world;
      const ids: number[] = [];
      for (const login of ['a', 'b', 'c', 'd', 'e', 'f']) {
        ids.push((await users.add({ login, password: PASSWORD, role: 'admin' }, nothing)).id);
      }
      const leave = (id: number) => {
        if (id % 3 === 0) return users.erase(id, nothing);
        return id % 3 === 1 ? users.setBlocked(id, true) : users.setRole(id, 'operator', 'admin');
      };
      const outcomes = await Promise.allSettled(ids.map(leave));
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      const left = await Promise.all(ids.map((id) => users.isAdmin(id)));
      expect(left.filter(Boolean)).toHaveLength(1);
    });
  });
}
