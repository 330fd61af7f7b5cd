/** Lists of trusted and spam domains, edited by admins over HTTP. */
import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/lib/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

interface Seed {
  domain: string;
  kind: string;
}

interface Listed {
  seeds: Seed[];
  sources: object[];
}

const short = ({ domain, kind }: Seed) => ({ domain, kind });

for (const dialect of dialects) {
  describe(`${dialect}: admin seeds`, () => {
    test('are added, moved, and listed in pages; invalid ones are reported with their position', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const add = (kind: string, ...domains: string[]) =>
        gateway.data<object>('/admin/trust/seeds/add/', { kind, domains }, admin);
      const list = async (query: object = {}) =>
        (await gateway.data<Listed>('/admin/trust/seeds/', query, admin)).seeds.map(short);
      expect(await list()).toEqual([]);
      expect(await add('trusted', 'https://www.b.com/x', 'a.com', 'a.com')).toEqual({
        added: 2,
        moved: 0,
        format: 'lines',
        bad: [],
        bad_count: 0,
      });
      const wrong = { line: 2, text: 'nothing', message: expect.any(String) };
      expect(await add('spam', 'c.com', 'nothing', 'a.com')).toMatchObject({
        added: 2,
        moved: 1,
        bad: [wrong],
        bad_count: 1,
      });
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
      expect(await remove()).toEqual({ removed: 2, bad, bad_count: 1 });
      expect((await seeds.list()).map(short)).toEqual([
        { domain: 'b.com', kind: 'trusted' },
        { domain: 'c.com', kind: 'spam' },
      ]);
      expect(await remove()).toEqual({ removed: 0, bad, bad_count: 1 });
    });

    test('have a source and a date, and a whole source can be removed', async () => {
      const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 5, 23) };
      await using gateway = await openGateway(dialect, { clock });
      const admin = await gateway.addUser({ isAdmin: true });
      const add = (kind: string, domains: string[], more: object = {}) =>
        gateway.data<object>('/admin/trust/seeds/add/', { kind, domains, ...more }, admin);
      const block = { source: 'Blocklist', date: '2026-09-01' };
      expect(await add('spam', ['0.0.0.0 a.com', '0.0.0.0 ads.b.com'], block)).toMatchObject({
        added: 1,
        format: 'hosts',
        bad: [{ line: 2 }],
      });
      await add('spam', ['c.com', 'd.com'], { source: 'Other list' });
      await add('trusted', ['1,top.com'], { format: 'tranco' });
      // The list that names a domain last is its source.
      await add('spam', ['d.com'], block);
      const { seeds, sources } = await gateway.data<Listed>('/admin/trust/seeds/', {}, admin);
      expect(seeds.slice(0, 2)).toEqual([
        { domain: 'a.com', kind: 'spam', ...block },
        { domain: 'c.com', kind: 'spam', source: 'Other list', date: '2026-11-05' },
      ] as object[] as Seed[]);
      expect(sources).toEqual([
        { kind: 'trusted', source: null, date: '2026-11-05', domains: 1 },
        { kind: 'spam', ...block, domains: 2 },
        { kind: 'spam', source: 'Other list', date: '2026-11-05', domains: 1 },
      ]);
      const remove = (body: object) => ['/admin/trust/seeds/remove/', body, admin] as const;
      expect(await gateway.data<object>(...remove({ source: 'Blocklist' }))).toMatchObject({
        removed: 2,
      });
      expect(await gateway.code(...remove({ source: 'Blocklist' }))).toBe('not_found');
      expect((await gateway.core.trust.seeds.list()).map(({ domain }) => domain)).toEqual([
        'c.com',
        'top.com',
      ]);
      for (const wrong of [{}, { source: 'Other list', domains: ['c.com'] }, { source: '' }]) {
        expect(await gateway.code(...remove(wrong))).toBe('invalid_request');
      }
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
