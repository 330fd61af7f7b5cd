/** The export of everything that is stored for a user. */
import { describe, expect, test } from 'bun:test';
import { prepareInsert, tables } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { addUsage, catalogueOf, IMAGE_MODEL, send } from './records.ts';

interface Export {
  profile: { login: string };
  account: { balance: number };
  keys: { name: string }[];
  rooms: {
    room_id: string;
    messages: {
      message_id: number;
      state: string;
      request: string;
      response: string;
      image_url: string | null;
      error_code: string | null;
    }[];
  }[];
  transactions: { id: number }[];
  usage: { day: string; spend: number }[];
}

const insertRooms = prepareInsert(tables.rooms, { requiredOnly: true });
const insertMessages = prepareInsert(tables.messages, { requiredOnly: true });

for (const dialect of dialects) {
  describe(`${dialect}: export`, () => {
    test('contains everything stored about the caller, and nothing about others', async () => {
      await using provider = await ScriptedProvider.start();
      await using gateway = await openGateway(dialect, { catalogue: catalogueOf(provider) });
      const { token, userId, login } = await gateway.addUser({ credit: 10 });
      const stranger = await gateway.addUser({ credit: 10 });
      await send(gateway, stranger.token, {
        room_id: await gateway.room(stranger.token),
        message: 'a secret of somebody else',
      });
      const { key } = await gateway.core.keys.create(userId, { name: 'laptop' });
      await addUsage(gateway, userId, ['2020-01-01', '2040-01-01']);

      const empty = await gateway.room(token);
      const roomId = await gateway.room(token);
      const text = 'Ёж "в" тумане\n\u202e🦔\u0001';
      const first = await send(gateway, token, { room_id: roomId, message: text });
      const image = await send(gateway, token, {
        room_id: roomId,
        message: 'a hedgehog',
        ai: IMAGE_MODEL,
      });
      const again = { room_id: roomId, message: 'once more', context_before: first.id };
      const last = await send(gateway, token, again);
      await provider.script({ status: 400, body: { error: { message: 'no' } } });
      const failing = { room_id: roomId, message: 'will fail', ai: 150, max_output_tokens: 5 };
      expect((await gateway.post('/ai/send/', failing, { token })).status).toBe(502);

      const answer = await gateway.post('/account/export/', {}, { token });
      expect(answer.headers.get('content-type')).toStartWith('application/json');
      const json = JSON.stringify(answer.body);
      expect(json).not.toContain('somebody else');
      expect(json).not.toContain(key);
      const document = await gateway.data<Export>('/account/export/', {}, { token });
      expect(document.profile.login).toBe(login);
      expect(document.account.balance).toBe(last.balance);
      expect(document.keys).toMatchObject([{ name: 'laptop', revoked_at: null }]);
      expect(document.rooms.map(({ room_id: id }) => id).toSorted()).toEqual(
        [empty, roomId].toSorted(),
      );
      const used = document.rooms.find(({ room_id: id }) => id === roomId);
      expect(used?.messages).toMatchObject([
        {
          message_id: first.id,
          state: 'done',
          model: 'sandbox-text',
          request: text,
          response: first.response,
          image_url: null,
          replaces: null,
          cost_request: first.cost_request,
        },
        { message_id: image.id, model_id: IMAGE_MODEL, image_url: image.response },
        { request: 'once more', replaces: first.id },
        { state: 'failed', request: 'will fail', response: '', error_code: 'provider_error' },
      ]);
      expect(document.transactions.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
      expect(document.usage).toHaveLength(4);
      expect(document.usage[0]?.day).toBe('2040-01-01');
      expect(document.usage.at(-1)?.day).toBe('2020-01-01');
    });

    test('reads all pages of rooms, messages and transactions', async () => {
      await using gateway = await openGateway(dialect);
      const { token, userId } = await gateway.addUser();
      const { db, ledger } = gateway.core;
      const count = 1203;
      const roomIds = Array.from({ length: count }, (_, i) => `r${i}`.padEnd(32, '-'));
      const [roomId = ''] = roomIds;
      const [version] = await db.query<{ id: number }>('SELECT MIN(id) AS id FROM model_versions');
      await db.transaction(async (tx) => {
        await insertRooms(
          tx,
          roomIds.map((id) => ({
            room_id: id,
            user_id: userId,
            title: '',
            message_count: 0,
            spend: 0,
            created_at: 5,
            last_used_at: 5,
            erased_through: 0,
            recent: '',
          })),
        );
        await insertMessages(
          tx,
          roomIds.map((_, i) => ({
            user_id: userId,
            room_id: roomId,
            id: i + 1,
            state: 'done',
            node_id: 1,
            hold: 0,
            asked_version_id: version?.id ?? 0,
            version_id: version?.id ?? 0,
            system_prompt: '',
            request: `q${i}`,
            response: `a${i}`,
            parameters: '{}',
            cost_request: 0,
            cost_response: 0,
            created_at: 5,
            key_id: '',
          })),
        );
      });
      for (let i = 0; i < 501; i++) {
        await ledger.credit(userId, 1, { reason: 'x', madeBy: 'test' });
      }
      const document = await gateway.data<Export>('/account/export/', {}, { token });
      expect(document.rooms.map(({ room_id: id }) => id).toSorted()).toEqual(roomIds.toSorted());
      const messages = document.rooms.flatMap((room) => room.messages);
      expect(messages.map(({ request }) => request)).toEqual(roomIds.map((_, i) => `q${i}`));
      expect(document.transactions.map(({ id }) => id)).toEqual(
        Array.from({ length: 501 }, (_, i) => 501 - i),
      );
    });

    test('gives a new user a complete document', async () => {
      await using gateway = await openGateway(dialect);
      const { token, login } = await gateway.addUser();
      expect(await gateway.data<Export>('/account/export', '', { token })).toMatchObject({
        profile: { login, is_admin: false, is_blocked: false },
        account: { balance: 0, held: 0, available: 0, credit_limit: 0 },
        keys: [],
        rooms: [],
        transactions: [],
        usage: [],
      });
    });
  });
}
