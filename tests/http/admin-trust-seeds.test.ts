/** Lists of trusted and spam domains, kept by admins over HTTP as on the command line. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

interface Listed {
  seeds: { domain: string; kind: string }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: admin seeds`, () => {
    test('are added, moved, and listed in pages; invalid ones are reported with their position', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const add = (kind: string, ...domains: string[]) =>
        gateway.data<object>('/admin/trust/seeds/add/', { kind, domains }, admin);
      const list = async (ask: object = {}) =>
        (await gateway.data<Listed>('/admin/trust/seeds/', ask, admin)).seeds;
      expect(await list()).toEqual([]);
      expect(await add('trusted', 'https://www.b.com/x', 'a.com', 'a.com')).toEqual({
        added: 2,
        bad: [],
      });
      const wrong = { line: 2, text: 'nothing', message: expect.any(String) };
      expect(await add('spam', 'c.com', 'nothing', 'a.com')).toEqual({ added: 2, bad: [wrong] });
      const [a, b, c] = [
        { domain: 'a.com', kind: 'spam' },
        { domain: 'b.com', kind: 'trusted' },
        { domain: 'c.com', kind: 'spam' },
      ];
      expect(await list()).toEqual([a, b, c]);
      expect(await list({ limit: 2 })).toEqual([a, b]);
      expect(await list({ limit: 2, after: 'b.com' })).toEqual([c]);
      expect(await gateway.core.trust.seeds.list()).toHaveLength(3);
    });

    test('are removed, from whichever list', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { seeds } = gateway.core.trust;
      await seeds.add('trusted', 'a.com\nb.com');
      await seeds.add('spam', 'c.com\nпример.рф');
      const domains = ['https://www.a.com/x', 'пример.рф', 'd.com', 'nothing', 'a.com'];
      const remove = () => gateway.data<object>('/admin/trust/seeds/remove/', { domains }, admin);
      const bad = [{ line: 4, text: 'nothing', message: expect.any(String) }];
      expect(await remove()).toEqual({ removed: 2, bad });
      expect(await seeds.list()).toEqual([
        { domain: 'b.com', kind: 'trusted' },
        { domain: 'c.com', kind: 'spam' },
      ]);
      expect(await remove()).toEqual({ removed: 0, bad });
    });

    test('are for admins only, and one per text', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const user = await gateway.addUser();
      const body = { kind: 'spam', domains: ['a.com'] };
      const wrong = [{ domains: [] }, { domains: ['a.com\nb.com'] }];
      for (const [path, bodies] of [
        ['/admin/trust/seeds/add/', [{ kind: 'good' }, ...wrong]],
        ['/admin/trust/seeds/remove/', wrong],
      ] as const) {
        expect(await gateway.code(path, body, user)).toBe('forbidden');
        for (const each of bodies) {
          expect(await gateway.code(path, { ...body, ...each }, admin)).toBe('invalid_request');
        }
      }
      expect(await gateway.core.trust.seeds.list()).toEqual([]);
    });
  });
}
