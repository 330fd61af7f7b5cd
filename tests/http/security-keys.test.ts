/** An API key that ends can't make one that lasts. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

interface NewKey {
  key: string;
  expires_at: number | null;
}

for (const dialect of dialects) {
  describe(`${dialect}: a key that expires`, () => {
    test('makes only keys that expire no later', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser();
      const path = '/account/keys/';
      const end = Math.floor(Date.now() / 1000) + 3600;
      const make = (expires_at: number | null, by: string) =>
        gateway.data<NewKey>(path, { name: 'made', expires_at }, { token: by });
      const ending = await make(end, token);
      for (const later of [null, end + 1]) {
        const settings = { name: 'made', expires_at: later };
        expect(await gateway.code(path, settings, { token: ending.key })).toBe('invalid_request');
      }
      expect((await make(end, ending.key)).expires_at).toBe(end);
      expect((await make(end - 60, ending.key)).expires_at).toBe(end - 60);
      const endless = await make(null, token);
      expect((await make(null, endless.key)).expires_at).toBeNull();
    });
  });
}
