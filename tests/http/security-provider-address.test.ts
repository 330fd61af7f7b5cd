/**
 * No field of a request reaches a provider's address or key, and nothing makes the gateway open an address that a
 * caller chose. Other gateways gave their keys away like this.
 */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { sharedWorld } from '../support/world.ts';

/** Fields in which gateways read an address, a key or a provider. */
const names = [
  'api_base',
  'base_url',
  'baseURL',
  'baseUrl',
  'api_base_url',
  'endpoint',
  'host',
  'url',
  'proxy',
  'webhook_url',
  'callback_url',
  'spec_path',
  'azure_endpoint',
  'organization',
];
const headerNames = [
  'x-portkey-custom-host',
  'x-portkey-provider',
  'x-portkey-config',
  'helicone-target-url',
  'x-base-url',
  'x-api-base',
  'x-forwarded-host',
  'x-original-url',
  'x-rewrite-url',
];

for (const dialect of dialects) {
  describe(`${dialect}: a decoy`, () => {
    const world = sharedWorld(dialect);

    test('gets no call from any field or header; the provider gets its own key', async () => {
      await using decoy = await ScriptedProvider.start();
      const { gateway, provider, user } = world();
      const alice = await user();
      const at = decoy.baseUrl;
      const nested = Object.fromEntries(names.map((name) => [name, at]));
      const fields = {
        ...nested,
        api_key: 'sk-stolen',
        apiKey: 'sk-stolen',
        provider: { base_url: at },
        extra_body: nested,
        litellm_params: nested,
        metadata: { base_url: at },
      };
      const headers = Object.fromEntries(headerNames.map((name) => [name, at]));
      const before = provider.calls.length;
      await alice.send(fields, { headers });
      const call = provider.calls.at(-1);
      expect(provider.calls.length).toBe(before + 1);
      expect(call?.headers['authorization']).toBe('Bearer sk-scripted');
      expect(JSON.stringify([call?.headers, call?.body])).not.toMatch(
        new RegExp(`${at}|sk-stolen`),
      );
      const completion = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          authorization: `Bearer ${alice.token}`,
        },
        body: JSON.stringify({
          ...nested,
          api_key: 'sk-stolen',
          model: 'scripted/scripted-text',
          messages: [{ role: 'user', content: 'Hello' }],
        }),
      });
      // Ignored or refused by name, but never obeyed.
      expect(completion.status).toBeLessThan(500);
      for (const { headers: received } of provider.calls.slice(before)) {
        expect(received['authorization']).toBe('Bearer sk-scripted');
      }
      expect(decoy.calls).toEqual([]);
    });

    test('as the address of a picture is passed on, not opened', async () => {
      let opened = 0;
      const socket = { open: () => void opened++, data: () => undefined };
      using decoy = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
      const { gateway, provider, user } = world();
      const { token } = await user();
      const url = `https://127.0.0.1:${decoy.port}/image.png`;
      const picture = { type: 'image_url', image_url: { url } };
      const request = {
        model: 'scripted/scripted-text',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture] }],
      };
      const { status } = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(request),
      });
      expect(status).toBe(200);
      expect(JSON.stringify(provider.calls.at(-1)?.body)).toContain(url);
      expect(opened).toBe(0);
    });
  });
}
