/** While the server stops, each interface refuses in its own format. */
import { describe, expect, test } from 'bun:test';
import { openGateway } from '../support/gateway.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const message = 'the server is stopping; nothing was charged, try again';

async function stopped(env: Record<string, string> = {}) {
  const gateway = await openGateway('sqlite', { env });
  await gateway.app.stop(0);
  return gateway;
}

describe('a stopping server', () => {
  test('answers every trust check with busy', async () => {
    await using gateway = await stopped();
    const response = await gateway.fetch('/trast.php?url=example.com&tp=3&h=1');
    expect(response.status).toBe(503);
    expect(await response.text()).toBe(`error|busy|${message}`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('connection')).toBe('close');
  });

  test('keeps the charset of old clients', async () => {
    await using gateway = await stopped({ ZASTAVA_LEGACY_CHARSET: 'windows-1251' });
    const response = await gateway.fetch('/trast.php?url=example.com&tp=3&h=1');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=windows-1251');
  });

  test('answers a login with no and status 503', async () => {
    await using gateway = await stopped();
    const body = 'login=ivan&pass=secret&auto=';
    const requests: [string, RequestInit][] = [
      ['/login.php', { method: 'POST', headers: form, body }],
      ['/', { method: 'POST', headers: form, body }],
      ['/login.php', {}],
      ['/logout.php', {}],
    ];
    for (const [path, init] of requests) {
      const response = await gateway.fetch(path, init);
      expect([path, response.status, await response.text()]).toEqual([path, 503, 'no']);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  test("answers under /v1 in the client's format", async () => {
    await using gateway = await stopped();
    const openAi = await gateway.fetch('/v1/chat/completions', { method: 'POST', body: '{}' });
    expect(openAi.status).toBe(503);
    expect(await openAi.json()).toEqual({
      error: { message, type: 'upstream_error', param: null, code: 'overloaded' },
    });
    const anthropic = { type: 'error', error: { type: 'overloaded_error', message } };
    const messages = await gateway.fetch('/v1/messages', { method: 'POST', body: '{}' });
    expect([messages.status, await messages.json()]).toMatchObject([503, anthropic]);
    const version = { 'anthropic-version': '2023-06-01' };
    const models = await gateway.fetch('/v1/models', { headers: version });
    expect([models.status, await models.json()]).toMatchObject([503, anthropic]);
    for (const { headers } of [openAi, messages, models]) {
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('x-should-retry')).toBeNull();
    }
  });

  test('answers everything else in the native format', async () => {
    await using gateway = await stopped();
    expect(await gateway.code('/trust/check/', { url: 'example.com' })).toBe('overloaded');
    const home = await gateway.fetch('/');
    expect(home.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
