/** The MCP server, called by the official client over HTTP. */
import { describe, expect, test } from 'bun:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

interface ToolResult {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
}

/** The message of a response, which may be JSON or one event. */
async function messageOf(response: Response) {
  const text = (await response.text()).replace(/^event: message\ndata: /, '');
  return JSON.parse(text) as { result?: ToolResult; error?: { code: number } };
}

/** The fetcher connects to no private address, so a check needs no network. */
const inside = 'example.com:80=127.0.0.1:80,example.com:443=127.0.0.1:443';

for (const dialect of dialects) {
  describe(`${dialect}: /mcp`, () => {
    const world = sharedWorld(dialect, { env: { ZASTAVA_FETCH_RESOLVE: inside } });
    const keyOf = async (userId: number, scope: 'chat' | 'trust' | 'full') =>
      (await world().gateway.core.keys.create(userId, { name: scope, scope })).key;
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      world().gateway.fetch('/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

    test.each(['2025-era handshake', '2026-07-28'])(
      'serves the official client, %s',
      async (era) => {
        const { gateway, user } = world();
        const alice = await user({ credit: 10 });
        const sent = await alice.send();
        const key = await keyOf(alice.userId, 'trust');
        const headers = { authorization: `Bearer ${key}` };
        const address = new URL(`${gateway.listen()}/mcp`);
        const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers } });
        const options = era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {};
        const client = new Client({ name: 'test', version: '1' }, options);
        await client.connect(transport);
        const call = async (name: string, args: Record<string, unknown> = {}) =>
          (await client.callTool({ name, arguments: args })) as unknown as ToolResult;

        expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
        const { tools } = await client.listTools();
        expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
          ['check_trust', true],
          ['last_trust_check', true],
          ['show_balance', true],
          ['show_usage', true],
        ]);
        for (const tool of tools) expect(tool.outputSchema?.type).toBe('object');

        const before = (await call('show_balance')).structuredContent;
        expect(before).toMatchObject({ login: alice.login, balance: sent.balance });
        const checked = await call('check_trust', { url: 'example.com', language: 'ru' });
        expect(checked.structuredContent).toMatchObject({ domain: 'example.com' });
        expect(checked.content[0]?.text).toMatch(/[а-я]{5}/);
        const last = await call('last_trust_check', { url: 'example.com' });
        expect(last.structuredContent).toMatchObject({ domain: 'example.com' });
        const after = (await call('show_balance')).structuredContent;
        expect(after?.['trust_remaining']).toBe(Number(before?.['trust_remaining']) - 1);
        const usage = await call('show_usage');
        expect(usage.structuredContent).toMatchObject({ days: [{ requests: 1 }] });

        const refused = await call('check_trust', { url: 'not an address' });
        expect(refused.isError).toBe(true);
        expect(refused.content[0]?.text).toContain('invalid_request: ');
        const reversed = await call('show_usage', { from: '2026-02-01', to: '2026-01-01' });
        expect(reversed.content[0]?.text).toContain('from: ');
        await client.close();
      },
    );

    test('needs a credential with the right to check', async () => {
      const alice = await world().user();
      const without = await post(listTools);
      expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const status = async (scope: 'chat' | 'trust' | 'full') =>
        (await post(listTools, { authorization: `Bearer ${await keyOf(alice.userId, scope)}` }))
          .status;
      expect([await status('chat'), await status('trust'), await status('full')]).toEqual([
        403, 200, 200,
      ]);
    });

    test('refuses foreign pages, large and broken messages, and other methods', async () => {
      const { token } = await world().user();
      const authorization = `Bearer ${token}`;
      const status = async (body: unknown, headers = {}) =>
        (await post(body, { authorization, ...headers })).status;
      expect(await status(listTools, { origin: 'https://evil.example' })).toBe(403);
      expect(await status(listTools, { origin: 'http://localhost:6274' })).toBe(200);
      expect(await status({ ...listTools, params: { x: 'y'.repeat(70_000) } })).toBe(413);
      expect(await status('{')).toBe(400);
      expect(await status([listTools])).toBe(422);
      expect(await status(listTools, { 'content-type': 'text/plain' })).toBe(415);
      const read = await world().gateway.fetch('/mcp', { headers: { authorization } });
      expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
      const unknown = { ...listTools, method: 'tools/call', params: { name: 'nothing' } };
      const { error } = await messageOf(await post(unknown, { authorization }));
      expect(error?.code).toBe(-32602);
    });

    test("reports a tool's limits as an error that says when to try again", async () => {
      const { gateway, user } = world();
      const alice = await user();
      const admin = await user({ isAdmin: true });
      const poor = await gateway.data<{ user: { login: string } }>(
        '/admin/users/add/',
        { login: `poor-${alice.login}`, password: 'a good password', trust_allowance: 0 },
        admin,
      );
      const token = await gateway.login(poor.user.login, 'a good password');
      const params = { name: 'check_trust', arguments: { url: 'example.com' } };
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { result } = await messageOf(await post(request, { authorization: `Bearer ${token}` }));
      expect(result?.isError).toBe(true);
      expect(result?.content[0]?.text).toContain('allowance_used_up: ');
    });
  });
}
