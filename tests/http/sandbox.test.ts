/** Who may use the sandbox: beside a priced model, only admins. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway, type TestUser } from '../support/gateway.ts';

const model = (price: string) => `
providers:
  up: { kind: openai, base_url: 'http://127.0.0.1:9/v1' }
models:
  - { id: 150, provider: up, model: big, type: TEXT, max_input_tokens: 1000, max_output_tokens: 500${price} }
`;
const priced = model(', cost_input_tokens_rub: 0');

/** The sandbox models that a user gets through each interface. */
async function sandboxOf(gateway: Gateway, { token }: TestUser) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { ai } = await gateway.data<{ ai: { id: number }[] }>('/ai/settings/', {}, { token });
  const listed = (await (await gateway.fetch('/v1/models', { headers })).json()) as {
    data: { id: string }[];
  };
  const one = await gateway.fetch('/v1/models/sandbox/sandbox-text', { headers });
  const send = { room_id: await gateway.room(token), ai: 1, message: 'Hello' };
  const messages = [{ role: 'user', content: 'Hello' }];
  const chat = { model: 'sandbox/sandbox-text', messages };
  const completion = await gateway.fetch('/v1/chat/completions', {
    method: 'POST',
    headers,
    body: JSON.stringify(chat),
  });
  return {
    settings: ai.filter(({ id }) => id < 10).map(({ id }) => id),
    models: listed.data.filter(({ id }) => id.startsWith('sandbox/')).length,
    statuses: [
      one.status,
      (await gateway.post('/ai/estimate/', send, { token })).status,
      (await gateway.post('/ai/send/', send, { token })).status,
      (await gateway.post('/ai/send/', { ...send, ai: 2 }, { token })).status,
      completion.status,
    ],
  };
}

const everything = { settings: [1, 2], models: 2, statuses: [200, 200, 200, 200, 200] };
const nothing = { settings: [], models: 0, statuses: [404, 404, 404, 404, 404] };

for (const dialect of dialects) {
  describe(`${dialect}: the sandbox`, () => {
    test.each([
      ['without a file, is for everybody', undefined, everything, everything],
      ['beside a model without a price, is for everybody', model(''), everything, everything],
      ['beside a model with a price, even 0, is for admins', priced, nothing, everything],
      ['switched on, is for everybody', `sandbox: on${priced}`, everything, everything],
      ['switched off, is gone', `sandbox: off${model('')}`, nothing, nothing],
    ])('%s', async (_, catalogue, forUser, forAdmin) => {
      await using gateway = await openGateway(
        dialect,
        catalogue === undefined ? {} : { catalogue },
      );
      const user = await gateway.addUser({ credit: 100 });
      const admin = await gateway.addUser({ credit: 100, isAdmin: true });
      expect(await sandboxOf(gateway, user)).toEqual(forUser);
      expect(await sandboxOf(gateway, admin)).toEqual(forAdmin);
    });

    test('follows the file on every node, and reports a change', async () => {
      await using gateway = await openGateway(dialect, { catalogue: priced });
      await using other = await openGateway(dialect, { database: gateway.database });
      const user = await gateway.addUser();
      const listed = async (node: Gateway) => {
        await node.core.catalogue.refresh();
        const { ai } = await node.data<{ ai: { id: number }[] }>('/ai/settings/', {}, user);
        return ai.map(({ id }) => id);
      };
      const { catalogue } = gateway.core;
      expect(await listed(other)).toEqual([150]);
      for (const [line, from, to, ids] of [
        ['sandbox: on', null, 'on', [1, 2, 150]],
        ['', 'on', null, [150]],
      ] as const) {
        const changes = await catalogue.apply(line + priced);
        const fields = [{ field: 'sandbox', from, to }];
        expect(changes).toEqual([{ kind: 'changed', subject: 'catalogue', fields }]);
        expect(await catalogue.apply(line + priced)).toEqual([]);
        expect([await listed(gateway), await listed(other)]).toEqual([[...ids], [...ids]]);
      }
    });

    test('that an earlier version enabled by default is for admins', async () => {
      await using gateway = await openGateway(dialect, { catalogue: `sandbox: on${priced}` });
      await gateway.core.db.transaction((tx) =>
        tx.query("UPDATE settings SET value = 'on' WHERE name = 'catalogue_sandbox'"),
      );
      await using later = await openGateway(dialect, { database: gateway.database });
      expect(await sandboxOf(later, await later.addUser({ credit: 100 }))).toEqual(nothing);
    });
  });
}
