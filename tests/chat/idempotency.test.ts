/** Idempotency-Key: one key and body, one provider call, one charge, one answer. */
import { describe, expect, test } from 'bun:test';
import { purgeIdempotencyKeys } from '../../src/chat/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway, type Gateway, type PostOptions } from '../support/gateway.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { catalogueOf, chatterOf, expectBooksHold, sharedWorld } from '../support/world.ts';

const withKey = (key: string): PostOptions => ({ headers: { 'idempotency-key': key } });

/** The bytes of the answer that were sent. */
async function bytesOf(gateway: Gateway, token: string, body: string, key: string) {
  const response = await gateway.fetch('/ai/send/', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
    },
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

for (const dialect of dialects) {
  describe(`${dialect}: an idempotency key`, () => {
    const world = sharedWorld(dialect);

    test('sent a hundred times at once gets one provider call and one charge', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const calls = provider.calls.length;
      await provider.script('hold');
      const sends = Array.from({ length: 100 }, () => alice.trySend({}, withKey('many')));
      await provider.held(1);
      // While the first one runs, the others get that error.
      expect(await alice.code({}, withKey('many'))).toBe('idempotency_in_progress');
      await provider.script('good');
      provider.release();
      const answers = await Promise.all(sends);
      const good = answers.filter(({ status }) => status === 200);
      const others = answers.filter(({ status }) => status !== 200);
      expect(good.length).toBeGreaterThanOrEqual(1);
      expect(new Set(good.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(new Set(others.map(({ body }) => body.error?.code))).toEqual(
        new Set(others.length > 0 ? ['idempotency_in_progress'] : []),
      );
      expect(provider.calls.length).toBe(calls + 1);
      expect(await alice.charges()).toHaveLength(1);
      const again = await alice.trySend({}, withKey('many'));
      expect(again.body).toEqual(good[0]?.body ?? again.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(good.filter(({ headers }) => headers.get('idempotent-replayed') === null).length).toBe(
        1,
      );
      await expectBooksHold(gateway);
    });

    test('with a body of other bytes is idempotency_key_reused', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const body = `{"room_id":"${alice.room}","ai":101,"message":"Hi"}`;
      const first = await bytesOf(gateway, alice.token, body, 'bytes');
      expect(first.status).toBe(200);
      for (const other of [`${body} `, body.replace('Hi', 'Ho'), body.replace(',"ai"', ', "ai"')]) {
        const { status, text } = await bytesOf(gateway, alice.token, other, 'bytes');
        expect([status, JSON.parse(text).error.code]).toEqual([422, 'idempotency_key_reused']);
      }
      expect((await bytesOf(gateway, alice.token, body, 'bytes')).text).toBe(first.text);
      expect(await alice.charges()).toHaveLength(1);
    });

    test('with another body while the first runs is idempotency_key_reused', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const first = alice.send({}, withKey('running'));
      await provider.held(1);
      expect(await alice.code({ message: 'Other' }, withKey('running'))).toBe(
        'idempotency_key_reused',
      );
      await provider.script('good');
      provider.release();
      await first;
    });

    for (const reply of ['500', '429', 'bad_json', 'cut_body'] as const) {
      test(`is free again after a failure (${reply})`, async () => {
        const { provider, user } = world();
        const alice = await user();
        await provider.script(reply);
        expect(await alice.code({}, withKey('fails'))).toStartWith('provider_');
        await provider.script('good');
        // Even for another body: nothing was kept.
        const sent = await alice.send({ message: 'Other' }, withKey('fails'));
        expect(sent.response).toBe('echo: Other');
        expect(await alice.charges()).toHaveLength(1);
      });
    }

    test('is free again after a refusal before the provider, and after refused content', async () => {
      const { provider, user } = world();
      const alice = await user({ credit: 0.01 });
      const dear = { max_output_tokens: 1_000 };
      expect(await alice.code(dear, withKey('a'))).toBe('insufficient_funds');
      expect(await alice.code({ ai: 999 }, withKey('a'))).toBe('model_not_found');
      expect(await alice.code({ message: '' }, withKey('a'))).toBe('invalid_request');
      await world().gateway.core.ledger.credit(alice.userId, 10_000_000, {
        reason: 'test',
        madeBy: 'test',
      });
      const error = { message: 'no', code: 'content_filter' };
      await provider.script({ status: 400, body: { error } });
      expect(await alice.code({}, withKey('a'))).toBe('content_refused');
      await provider.script('good');
      await alice.send(dear, withKey('a'));
    });

    test('belongs to one user', async () => {
      const { user } = world();
      const [alice, bob] = [await user(), await user()];
      const first = await alice.send({ message: 'of Alice' }, withKey('shared'));
      const second = await bob.send({ message: 'of Bob' }, withKey('shared'));
      expect([first.response, second.response]).toEqual(['echo: of Alice', 'echo: of Bob']);
    });

    test('belongs to one user and one operation, even if all bodies are the same', async () => {
      const { gateway, user } = world();
      const [alice, bob] = [await user(), await user()];
      const messages = [{ role: 'user', content: 'Hi' }];
      const body = JSON.stringify({ model: '101', max_tokens: 50, messages });
      const headers = { ...withKey('same').headers, 'content-type': 'application/json' };
      const send = async (path: string, { token }: { token: string }) => {
        const authorization = `Bearer ${token}`;
        const init = { method: 'POST', body, headers: { ...headers, authorization } };
        const response = await gateway.fetch(path, init);
        const text = await response.text();
        return {
          status: response.status,
          text,
          again: response.headers.has('idempotent-replayed'),
        };
      };
      const requests = [
        ['/v1/chat/completions', alice],
        ['/v1/messages', alice],
        ['/v1/chat/completions', bob],
      ] as const;
      const texts: string[] = [];
      for (const [path, who] of requests) {
        const { status, text, again } = await send(path, who);
        expect([path, status, again]).toEqual([path, 200, false]);
        texts.push(text);
      }
      for (const [index, [path, who]] of requests.entries()) {
        expect(await send(path, who)).toEqual({
          status: 200,
          text: texts[index] ?? '',
          again: true,
        });
      }
      expect([await alice.charges(), await bob.charges()].map(({ length }) => length)).toEqual([
        2, 1,
      ]);
    });

    test('has 1 to 255 characters', async () => {
      const alice = await world().user();
      for (const key of ['', 'x'.repeat(256), 'x'.repeat(1_000)]) {
        const { status, body } = await alice.trySend({}, withKey(key));
        expect([status, body.error?.details?.[0]?.path]).toEqual([422, 'Idempotency-Key']);
      }
      for (const key of ['x'.repeat(255), 'ключ'.replace(/./g, 'é'), "a' OR 1=1 --", '{"a": 1}']) {
        const first = await alice.send({ message: key }, withKey(key));
        expect(await alice.send({ message: key }, withKey(key))).toEqual(first);
      }
      expect(await alice.charges()).toHaveLength(4);
    });

    test('has no effect on operations other than send', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const create = () =>
        gateway.data<{ room_id: string }>('/ai/room/', {}, { ...alice, ...withKey('r') });
      expect(await create()).not.toEqual(await create());
    });

    test('replays even if the model was retired, its price changed and the balance spent', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1 });
      const first = await alice.send({}, withKey('old'));
      const { available } = await alice.funds();
      await gateway.core.ledger.credit(alice.userId, -available, {
        reason: 'test',
        madeBy: 'test',
      });
      await gateway.core.catalogue.apply(catalogueOf(provider, [{ id: 102 }]));
      expect(await alice.send({}, withKey('old'))).toEqual(first);
      await gateway.core.catalogue.apply(catalogueOf(provider));
    });

    test('is kept for 24 hours', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const first = await alice.send({}, withKey('day'));
      const { db } = gateway.core;
      await purgeIdempotencyKeys(db, Date.now() + 24 * 3_600_000 - 60_000);
      expect(await alice.send({}, withKey('day'))).toEqual(first);
      await purgeIdempotencyKeys(db, Date.now() + 24 * 3_600_000 + 60_000);
      expect((await alice.send({}, withKey('day'))).id).toBeGreaterThan(first.id);
    });

    test('is kept as long as its send runs', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const calls = provider.calls.length;
      await provider.script('hold');
      const first = alice.send({}, withKey('long'));
      await provider.held(1);
      await provider.script('good');
      await purgeIdempotencyKeys(gateway.core.db, Date.now() + 25 * 3_600_000);
      expect(await alice.code({}, withKey('long'))).toBe('idempotency_in_progress');
      provider.release();
      const sent = await first;
      expect(await alice.send({}, withKey('long'))).toEqual(sent);
      expect(provider.calls).toHaveLength(calls + 1);
    });

    test('outlives the deletion of its room without the text: it is refused, and not charged again', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await alice.send({ message: 'a secret' }, withKey('deleted'));
      const calls = provider.calls.length;
      const room = { room_id: alice.room };
      const refused = async () => {
        const { status, body } = await alice.trySend({ message: 'a secret' }, withKey('deleted'));
        expect([status, body.error?.code]).toEqual([404, 'room_not_found']);
        expect(body.error?.message).toContain('use another key');
      };
      await gateway.data('/ai/room/delete/', room, alice);
      await refused();
      await gateway.data('/ai/room/', room, alice);
      await refused();
      expect(await alice.code({ message: 'Other' }, withKey('deleted'))).toBe(
        'idempotency_key_reused',
      );
      expect(provider.calls.length).toBe(calls);
      expect(await alice.charges()).toHaveLength(1);
      const { db } = gateway.core;
      const rows = await db.query('SELECT * FROM idempotency_keys WHERE user_id = $1', [
        alice.userId,
      ]);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain('secret');
      await purgeIdempotencyKeys(db, Date.now() + 24 * 3_600_000 + 60_000);
      await alice.send({ message: 'a secret' }, withKey('deleted'));
      await expectBooksHold(gateway);
    });

    test('outlives the deletion of its room even while its send runs', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const first = alice.send({}, withKey('running on'));
      await provider.held(1);
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      await provider.script('good');
      provider.release();
      await first;
      await gateway.data('/ai/room/', { room_id: alice.room }, alice);
      expect(await alice.code({}, withKey('running on'))).toBe('room_not_found');
      expect(await alice.charges()).toHaveLength(1);
    });

    test('is erased with its user, even while its send runs', async () => {
      const { gateway, provider, user } = world();
      const [alice, admin] = [await user(), await user({ isAdmin: true })];
      await alice.send({}, withKey('done'));
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      await gateway.data('/ai/room/', { room_id: alice.room }, alice);
      await provider.script('hold');
      const running = alice.send({}, withKey('erased meanwhile'));
      await provider.held(1);
      await gateway.data('/admin/users/erase/', { login: alice.login }, admin);
      await provider.script('good');
      provider.release();
      await running;
      const sql = 'SELECT key FROM idempotency_keys WHERE user_id = $1';
      expect(await gateway.core.db.query(sql, [alice.userId])).toEqual([]);
    });

    test('of an image: the image is generated once, and its URL is returned again', async () => {
      const { provider, user } = world();
      const alice = await user();
      const calls = provider.calls.length;
      const first = await alice.send({ ai: 103 }, withKey('image'));
      expect(await alice.send({ ai: 103 }, withKey('image'))).toEqual(first);
      expect(provider.calls.length).toBe(calls + 1);
    });
  });

  describe(`${dialect}: an idempotency key across nodes and restarts`, () => {
    test('gives the same answer, byte for byte, after a restart and on another node', async () => {
      await using provider = await ScriptedProvider.start();
      await using database = await openTestDatabase(dialect);
      const catalogue = catalogueOf(provider);
      const before = await openGateway(dialect, { database, catalogue });
      const alice = await chatterOf(before, await before.addUser({ credit: 5 }));
      const body = JSON.stringify({ room_id: alice.room, ai: 101, message: 'Привет 😀' });
      const first = await bytesOf(before, alice.token, body, 'restart');
      expect(first.status).toBe(200);
      await before[Symbol.asyncDispose]();
      await using after = await openGateway(dialect, { database });
      await using another = await openGateway(dialect, { database });
      for (const node of [after, another]) {
        const again = await bytesOf(node, alice.token, body, 'restart');
        expect([again.status, again.text]).toEqual([200, first.text]);
      }
      expect(provider.calls).toHaveLength(1);
      expect(await after.core.ledger.transactions(alice.userId, 10)).toHaveLength(2);
    });

    test('used at once on two nodes gets one provider call and one charge', async () => {
      await using provider = await ScriptedProvider.start();
      await using database = await openTestDatabase(dialect);
      await using one = await openGateway(dialect, { database, catalogue: catalogueOf(provider) });
      await using two = await openGateway(dialect, { database });
      const alice = await chatterOf(one, await one.addUser({ credit: 5 }));
      const body = JSON.stringify({ room_id: alice.room, ai: 101, message: 'Hi' });
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => bytesOf(i % 2 ? one : two, alice.token, body, 'both')),
      );
      const good = answers.filter(({ status }) => status === 200);
      expect(new Set(good.map(({ text }) => text)).size).toBe(1);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      expect(provider.calls).toHaveLength(1);
      expect(await alice.charges()).toHaveLength(1);
      await expectBooksHold(one);
    });
  });
}
