/** Bytes of images without a message are removed, even if calls fail or processes die meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { movableClock, type MovableClock } from '../support/clock.ts';
import { breakStore, imageStores, s3Env } from '../support/image-stores.ts';
import { startS3Double, type S3Double } from '../support/s3-double.ts';
import { recordingLog, type LogLine } from '../users/world.ts';
import { openGateway } from '../support/gateway.ts';
import { IMAGE_MODEL, openWorld, type Chatter, type World } from '../support/world.ts';

const LONG_MS = 3_600_000;
const bytes = Uint8Array.of(1, 2, 3, 4);

for (const store of imageStores) {
  const { name, dialect, s3 } = store;
  describe(`removal of images from store ${name}`, () => {
    let world: World;
    let double: S3Double;
    let clock: MovableClock;
    let logged: LogLine[];
    let alice: Chatter;

    beforeEach(async () => {
      double = startS3Double();
      clock = movableClock();
      logged = [];
      const log = recordingLog(logged);
      world = await openWorld(dialect, { clock, log, ...(s3 && { env: s3Env(double) }) });
      alice = await world.user();
    });
    afterEach(async () => {
      await world[Symbol.asyncDispose]();
      await double[Symbol.asyncDispose]();
    });

    const idOf = (address: string) => address.slice(address.lastIndexOf('/') + 1);
    const draw = async () => idOf((await alice.send({ ai: 2 })).response);
    const isKept = async (id: string) =>
      (await world.gateway.core.images.read(id).catch(() => undefined)) !== undefined;
    const sweep = () => world.gateway.core.images.removal.sweep();
    const rows = async () => {
      const { db } = world.gateway.core;
      return [
        await db.query('SELECT id FROM images WHERE erased_at IS NOT NULL'),
        await db.query('SELECT id FROM image_writes'),
      ];
    };
    const nothing = [[], []];
    /** The number of images that the sweeps reported. */
    const removed = () => logged.reduce((sum, line) => sum + Number(line['removed'] ?? 0), 0);
    const messages = () => logged.map((line) => line['msg']);

    test('a room is deleted while the store fails: the bytes are removed later', async () => {
      const { gateway } = world;
      const [first, second] = [await draw(), await draw()];
      const mend = await breakStore(store, gateway, double, first);
      const erase = { room_id: alice.room };
      expect(await gateway.data<object>('/ai/room/delete/', erase, alice)).toMatchObject({
        deleted: true,
      });
      expect(messages()).toContain(
        'images could not be removed from their store; a sweep will remove them',
      );
      expect((await gateway.fetch(`/images/${first}`)).status).toBe(404);
      await sweep();
      expect(messages()).toContain(
        'images could not be removed from their store; the next sweep repeats it',
      );
      await mend();
      expect(await isKept(first)).toBe(true);
      await sweep();
      expect([await isKept(first), await isKept(second)]).toEqual([false, false]);
      expect(await rows()).toEqual(nothing);
      expect(removed()).toBe(2);
    });

    test('a user is erased while the store fails: erasing again completes it', async () => {
      const { gateway } = world;
      const admin = await world.user({ isAdmin: true });
      const [id, other] = [await draw(), idOf((await admin.send({ ai: 2 })).response)];
      const erase = (login: string) =>
        gateway.data<{ login: string }>('/admin/users/erase/', { login }, admin);
      const mend = await breakStore(store, gateway, double, id);
      const { login } = await erase(alice.login);
      await mend();
      expect(await isKept(id)).toBe(true);
      await erase(login);
      expect([await isKept(id), await isKept(other)]).toEqual([false, true]);
      expect(await rows()).toEqual(nothing);
    });

    test('a room is deleted while its image is drawn and the store fails: charged, and removed later', async () => {
      const { gateway, provider } = world;
      await provider.script('hold');
      const sending = alice.send({ ai: IMAGE_MODEL });
      await provider.held(1);
      await gateway.data<object>('/ai/room/delete/', { room_id: alice.room }, alice);
      const { images } = gateway.core;
      const save = images.save.bind(images);
      let mend = () => Promise.resolve();
      images.save = async (...work) => {
        const saved = await save(...work);
        mend = await breakStore(store, gateway, double, saved.id);
        return saved;
      };
      await provider.script('good');
      provider.release();
      const id = idOf((await sending).response);
      images.save = save;
      await mend();
      expect(await alice.charges()).toHaveLength(1);
      expect(await isKept(id)).toBe(true);
      clock.forward(LONG_MS);
      await sweep();
      expect(await isKept(id)).toBe(false);
      expect(await rows()).toEqual(nothing);
    });

    test('an image whose answer is pending stays; one whose message was closed without it is removed', async () => {
      const { gateway, provider } = world;
      const { core } = gateway;
      await provider.script('hold');
      const sending = alice.send({ ai: IMAGE_MODEL });
      await provider.held(1);
      // The state that a process leaves if it is killed after the store and before the settlement.
      const owner = { userId: alice.userId, roomId: alice.room, messageId: 1 };
      const { id } = await core.images.save(owner, bytes, 'image/png');
      clock.forward(LONG_MS);
      await sweep();
      expect(await isKept(id)).toBe(true);
      await provider.script('good');
      provider.release();
      const answer = idOf((await sending).response);
      // A node that was considered dead may still be writing.
      await sweep();
      const late = await core.images.save(owner, bytes, 'image/png');
      await sweep();
      expect([await isKept(id), await isKept(late.id)]).toEqual([false, true]);
      clock.forward(LONG_MS);
      await sweep();
      expect([await isKept(late.id), await isKept(answer)]).toEqual([false, true]);
      expect((await gateway.fetch(`/images/${answer}`)).status).toBe(200);
      expect(await rows()).toEqual(nothing);
    });

    test('many nodes sweep at once: each image is removed, and counted once', async () => {
      const { gateway } = world;
      const ids = await Promise.all(Array.from({ length: 12 }, draw));
      const { db } = gateway.core;
      await db.transaction((tx) => tx.query('UPDATE images SET erased_at = 1'));
      await using stack = new AsyncDisposableStack();
      const nodes = [gateway];
      if (dialect === 'postgres') {
        const { database } = gateway;
        const env = s3 ? s3Env(double) : {};
        const options = { database, clock, env, log: recordingLog(logged) };
        nodes.push(stack.use(await openGateway(dialect, options)));
        nodes.push(stack.use(await openGateway(dialect, options)));
      }
      await Promise.all(nodes.map(({ core }) => core.images.removal.sweep()));
      expect(await Promise.all(ids.map(isKept))).toEqual(ids.map(() => false));
      expect(await rows()).toEqual(nothing);
      expect(removed()).toBe(ids.length);
      expect(logged.filter((line) => Number(line['level']) >= 50)).toEqual([]);
    });
  });
}
