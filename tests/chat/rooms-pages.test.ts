/**
 * All rooms of a user in pages: each once, whichever are used meanwhile, and without sorting all rooms for each page.
 */
import { describe, expect, test } from 'bun:test';
import { Rooms } from '../../src/chat/index.ts';
import { prepareInsert, tables, type Database } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

const ROOMS = 1_200;

const insertRooms = prepareInsert(tables.rooms, { requiredOnly: true });

for (const dialect of dialects) {
  describe(`${dialect}: pages of rooms`, () => {
    const world = sharedWorld(dialect);

    async function roomsOfSomebody(): Promise<{ userId: number; ids: string[] }> {
      const { gateway, user } = world();
      const { userId, room } = await user();
      const ids = Array.from({ length: ROOMS }, (_, at) => `${userId}-${at}`.padStart(32, 'r'));
      await gateway.core.db.transaction((tx) =>
        insertRooms(
          tx,
          ids.map((id, at) => ({
            room_id: id,
            user_id: userId,
            title: '',
            message_count: 0,
            spend: 0,
            created_at: at,
            last_used_at: at,
            erased_through: 0,
            recent: '',
          })),
        ),
      );
      return { userId, ids: [...ids, room] };
    }

    test('have each room once, even if rooms are used and deleted meanwhile', async () => {
      const { db, rooms } = world().gateway.core;
      const { userId, ids } = await roomsOfSomebody();
      const [deleted = ''] = ids.splice(900, 1);
      const seen: string[] = [];
      for await (const page of rooms.pages(userId)) {
        if (seen.length === 0) {
          await rooms.delete(userId, deleted);
          await db.transaction((tx) =>
            tx.query('UPDATE rooms SET last_used_at = 5000 - last_used_at WHERE user_id = $1', [
              userId,
            ]),
          );
        }
        seen.push(...page.map(({ roomId }) => roomId));
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
    });

    test('read each room once', async () => {
      const { db } = world().gateway.core;
      const { userId, ids } = await roomsOfSomebody();
      let rows = 0;
      const counting: Database = {
        ...db,
        async query<R>(...args: Parameters<Database['query']>) {
          const [text, params] = args;
          const plan =
            dialect === 'sqlite'
              ? await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
              : [];
          expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE');
          const found = await db.query<R>(text, params);
          rows += found.length;
          return found;
        },
      };
      for await (const page of new Rooms(counting, systemClock).pages(userId)) {
        expect(page.length).toBeLessThanOrEqual(500);
      }
      expect(rows).toBe(2 * ids.length);
    });
  });
}
