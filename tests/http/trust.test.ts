/** The trust check in JSON: one address, a hundred, and the history. */
import { describe, expect, spyOn, test } from 'bun:test';
import { systemClock } from '../../src/lib/clock.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { rankRelease } from '../../src/trust/index.ts';
import { movableClock, steadyToday } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import type { TestUser } from '../support/gateway.ts';
import { donorsOf, importLinks, type Links } from '../trust/check/links.ts';
import { openTrustWorld, sharedTrustWorld, type TrustWorld } from '../trust/check/world.ts';

interface Point {
  date: string;
  xt: number;
  spam: number;
  formula: string;
  release: string;
  cause: string;
}

/** The JSON record, as clients read it. */
interface TrustJson {
  domain: string;
  xt: number;
  title: string;
  login: string;
  remaining: number;
  colour: string;
  workability: string;
  acceptors: number;
  donors: number;
  spam: number;
  history: Point[];
  confidence: string;
  components: { name: string; unit: string; value: number; weight: number; contribution: number }[];
  reasons: string[];
  top_donors: { domain: string; share: number }[];
  page: {
    fetched_at: string | null;
    status: number | null;
    final_url: string | null;
    language: string | null;
    language_source: string | null;
    contact: string | null;
    privacy: string | null;
    imprint: string | null;
    parked: boolean | null;
    external_domains: number | null;
    site: string;
  };
  release: string | null;
  formula: string;
}

const words = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const page = (title: string, extra = '') =>
  `<!doctype html><html lang="ru"><title>${title}</title><body><p>${words}</p>${extra}</body></html>`;
const links: Links = [
  ...donorsOf('alpha.ru', 25),
  ['alpha.ru', 'beta.ru'],
  ['msu.edu', 'alpha.ru'],
  ['beta.ru', 'gamma.ru'],
];

function check(world: TrustWorld, { token }: TestUser, body: object): Promise<TrustJson> {
  return world.gateway.data<TrustJson>('/trust/check/', body, { token });
}

for (const dialect of dialects) {
  describe(`${dialect}: /trust/check/`, () => {
    const sites = { 'alpha.ru': page('Альфа | «первая»', '<a href="http://delta.ru/">d</a>') };
    const shared = sharedTrustWorld(dialect, { sites, down: ['down.ru'] }, (world) =>
      world.release('first', links),
    );

    test('answers with the fields of the line and their reasons', async () => {
      const today = await steadyToday();
      const world = shared();
      const user = await world.gateway.addUser();
      const record = await check(world, user, { url: 'https://www.ALPHA.ru/path', history: 1 });
      expect(record).toMatchObject({
        domain: 'alpha.ru',
        title: 'Альфа | «первая»',
        login: user.login,
        remaining: 999,
        workability: 'да',
        acceptors: 1,
        donors: 26,
        confidence: 'medium',
        release: 'first',
        formula: '2',
      });
      expect(record.page).toEqual({
        fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        status: 200,
        final_url: 'http://alpha.ru/',
        language: 'ru',
        language_source: 'declared',
        contact: null,
        privacy: null,
        imprint: null,
        parked: false,
        external_domains: 1,
        site: 'alpha.ru',
      });
      expect(record.history).toEqual([
        {
          date: today,
          xt: record.xt,
          spam: record.spam,
          formula: '2',
          release: 'first',
          cause: 'first',
        },
      ]);
      expect(record.reasons.length).toBeGreaterThan(0);
      expect(record.xt).toBe(Math.round(record.xt * 10) / 10);
    });

    test('components in points add up to xt, those in log-odds to the spam probability', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      for (const url of ['alpha.ru', 'beta.ru', 'donor3.ru', 'msu.edu']) {
        const { components, xt, spam } = await check(world, user, { url });
        const sum = (unit: string) =>
          components
            .filter((component) => component.unit === unit)
            .reduce((total, { contribution }) => total + contribution, 0);
        expect(Math.abs(sum('points') - xt)).toBeLessThanOrEqual(0.05 + 1e-9);
        expect(Math.round(100 / (1 + Math.exp(-sum('log-odds'))))).toBe(spam);
      }
    });

    test('top donors are those that trust comes from, the seed first', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const { top_donors: donors } = await check(world, user, { url: 'alpha.ru' });
      expect(donors[0]?.domain).toBe('msu.edu');
      expect(donors.length).toBeLessThanOrEqual(10);
      const shares = donors.map(({ share }) => share);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      for (const share of shares) expect(share > 0 && share <= 1).toBe(true);
    });

    test('an unknown domain has confidence low, no donors, and a reason', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const record = await check(world, user, { url: 'down.ru' });
      expect(record).toMatchObject({
        xt: 0,
        donors: 0,
        acceptors: 0,
        confidence: 'low',
        title: '',
        top_donors: [],
        workability: 'не известно',
      });
      expect(record.reasons[0]).toContain('None of the sites we know links to it');
      expect(record.page).toMatchObject({ status: null, final_url: null, parked: null });
    });

    test('history 0, absent or null omits the points; 1 and 2 include them', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      for (const [history, points] of [
        ...[0, null, undefined].map((mode) => [mode, 0]),
        [1, 1],
        [2, 1],
      ]) {
        const record = await check(world, user, { url: 'alpha.ru', history });
        expect([history, record.history.length]).toEqual([history, points]);
      }
    });

    test('refusals name the field and use up no check; both interfaces share the allowance', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const { token } = user;
      const bodies = [
        {},
        { url: '' },
        { url: '127.0.0.1' },
        { url: 'co.uk' },
        { url: 5 },
        { url: 'alpha.ru', history: 3 },
        { url: 'alpha.ru', history: '1' },
      ];
      for (const body of bodies) {
        const { status, body: answer } = await world.gateway.post('/trust/check/', body, { token });
        expect([body, status, answer.error?.code]).toEqual([body, 422, 'invalid_request']);
        const [detail] = answer.error?.details ?? [];
        expect(detail?.path).toBe('history' in body ? 'history' : 'url');
        if ('history' in body) expect(detail?.message).toBe('must be 0, 1 or 2');
      }
      expect(await world.gateway.code('/trust/check/', { url: 'alpha.ru' })).toBe(
        'unauthenticated',
      );
      const { check: engine } = world.gateway.core.trust;
      const failing = spyOn(engine, 'check').mockRejectedValueOnce(new Error('broken'));
      expect(
        (await world.gateway.post('/trust/check/', { url: 'alpha.ru' }, { token })).status,
      ).toBe(500);
      failing.mockRestore();
      expect((await world.fields(user, 'alpha.ru'))[3]).toBe('999');
      expect((await check(world, user, { url: 'alpha.ru' })).remaining).toBe(998);
    });

    test('without a release there is no verdict: confidence none and жел', async () => {
      await using world = await openTrustWorld(dialect, { sites });
      const user = await world.gateway.addUser();
      const record = await check(world, user, { url: 'alpha.ru', history: 1 });
      expect(record).toMatchObject({
        confidence: 'none',
        colour: 'жел',
        release: null,
        history: [],
        components: [],
        title: 'Альфа | «первая»',
        workability: 'да',
      });
      expect(record.reasons).toHaveLength(1);
    });

    test('a release that is imported but not ranked gives no verdict either', async () => {
      await using world = await openTrustWorld(dialect, { sites });
      const { store } = world.gateway.core.trust;
      await importLinks(store, 'plain', links);
      store.use('plain');
      const user = await world.gateway.addUser();
      const record = await check(world, user, { url: 'alpha.ru' });
      expect(record).toMatchObject({ release: null, confidence: 'none', colour: 'жел' });
    });
  });

  describe(`${dialect}: /trust/bulk/`, () => {
    const shared = sharedTrustWorld(
      dialect,
      { env: { ZASTAVA_TRUST_DAILY_ALLOWANCE: '100' } },
      (world) => world.release('first', links),
    );
    const bulk = (world: TrustWorld, { token }: TestUser, urls: string[]) =>
      world.gateway.post('/trust/bulk/', { urls }, { token });

    test('answers a hundred addresses in order; refused ones use up no check', async () => {
      await using world = await openTrustWorld(dialect, {
        env: { ZASTAVA_TRUST_DAILY_ALLOWANCE: '100' },
        down: Array.from({ length: 25 }, (_, number) => `donor${number}.ru`),
      });
      await world.release('first', links);
      const user = await world.gateway.addUser();
      const urls = Array.from({ length: 100 }, (_, number) =>
        number % 4 === 3 ? `10.0.0.${number}` : `http://donor${number % 25}.ru/${number}`,
      );
      const { status, body } = await bulk(world, user, urls);
      expect(status).toBe(200);
      const { records } = body.data as {
        records: (Partial<TrustJson> & Record<string, unknown>)[];
      };
      expect(records).toHaveLength(100);
      records.forEach((record, number) => {
        if (number % 4 === 3) {
          const url = urls[number] ?? '';
          expect(record).toMatchObject({ url, error: 'invalid_request' });
        } else {
          expect(record).toMatchObject({ domain: `donor${number % 25}.ru`, remaining: 25 });
        }
      });
    });

    test('takes the allowance of all or none; no address, or more than a hundred, are refused', async () => {
      const world = shared();
      const { gateway } = world;
      const user = await gateway.addUser();
      await gateway.core.allowance.take(user.userId, 99);
      const two = await bulk(world, user, ['donor1.ru', 'donor2.ru']);
      expect([two.status, two.body.error?.code]).toEqual([429, 'allowance_used_up']);
      expect(Number(two.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const urls of [[], Array<string>(101).fill('donor1.ru')]) {
        expect((await bulk(world, user, urls)).status).toBe(422);
      }
      const refused = await bulk(world, user, ['10.0.0.1', 'рф']);
      expect(refused.status).toBe(200);
      expect(await gateway.core.allowance.take(user.userId)).toMatchObject({ remaining: 0 });
    });

    test('a call that fails uses up no check, even if some of its checks succeeded', async () => {
      const world = shared();
      const { gateway } = world;
      const user = await gateway.addUser();
      const { check: engine } = gateway.core.trust;
      const failing = spyOn(engine, 'check').mockImplementationOnce(() =>
        Promise.reject(new Error('a bug')),
      );
      try {
        const { status } = await bulk(world, user, ['donor1.ru', 'donor2.ru', 'donor3.ru']);
        expect(status).toBe(500);
      } finally {
        failing.mockRestore();
      }
      expect(await gateway.core.allowance.take(user.userId)).toMatchObject({ remaining: 99 });
    });

    test('a check that fails uses up no check, and has its own error', async () => {
      const world = shared();
      const { gateway } = world;
      const user = await gateway.addUser();
      const { check: engine } = gateway.core.trust;
      const busy = new DomainError('overloaded', 'later');
      const failing = spyOn(engine, 'check').mockImplementation(() => Promise.reject(busy));
      try {
        const { body } = await bulk(world, user, ['donor1.ru', 'donor2.ru']);
        const { records } = body.data as { records: unknown[] };
        expect(records).toEqual([
          { url: 'donor1.ru', error: 'overloaded', message: 'later' },
          { url: 'donor2.ru', error: 'overloaded', message: 'later' },
        ]);
      } finally {
        failing.mockRestore();
      }
      expect(await gateway.core.allowance.take(user.userId)).toMatchObject({ remaining: 99 });
    });
  });

  describe(`${dialect}: history`, () => {
    test('a release changes the score, then the page; each point names its cause', async () => {
      let extra = '';
      const sites = {
        'alpha.ru': () =>
          new Response(page('Альфа', extra), { headers: { 'content-type': 'text/html' } }),
      };
      const clock = movableClock();
      const env = { ZASTAVA_TOKEN_TTL_SECONDS: String(7 * 86_400) };
      await using world = await openTrustWorld(dialect, { sites, clock, env });
      const { gateway } = world;
      const user = await gateway.addUser();
      await world.release('first', links);
      const first = await check(world, user, { url: 'alpha.ru', history: 1 });
      expect(first.history.map(({ cause }) => cause)).toEqual(['first']);
      // A repetition adds nothing.
      await check(world, user, { url: 'alpha.ru' });

      await world.release('second', [...links, ...donorsOf('beta.ru', 30, 'more')]);
      const second = await check(world, user, { url: 'alpha.ru', history: 1 });
      expect(second.release).toBe('second');
      expect(second.xt).not.toBe(first.xt);
      expect(second.history.map(({ cause, release }) => [cause, release])).toEqual([
        ['first', 'first'],
        ['release', 'second'],
      ]);

      extra = `<div style="display:none">${hiddenLinks(40)}</div>`;
      clock.forward(25 * 3_600_000);
      const third = await check(world, user, { url: 'alpha.ru', history: 2 });
      expect(third.spam).toBeGreaterThan(second.spam);
      expect(third.history.map(({ cause }) => cause)).toEqual(['first', 'release', 'page']);

      const fields = await world.fields(user, 'alpha.ru');
      const dated = third.history.map(({ date, xt }) => `${date}:${xt.toFixed(1)}`);
      expect(fields[9]).toBe(dated.join(';'));
      const { token } = user;
      const answer = await gateway.data<object>('/trust/history/', { url: 'ALPHA.ru' }, { token });
      expect(answer).toEqual({ domain: 'alpha.ru', history: third.history });
    });

    test('new seeds, or ranking a release again, do not count as a change of the page', async () => {
      await using world = await openTrustWorld(dialect, { sites: { 'alpha.ru': page('Альфа') } });
      await world.release('first', links);
      const user = await world.gateway.addUser();
      const { spam } = await check(world, user, { url: 'alpha.ru' });
      const { store, seeds } = world.gateway.core.trust;
      await seeds.add('spam', 'alpha.ru');
      await rankRelease(store, seeds, systemClock, { name: 'first', threads: 1 });
      const again = await check(world, user, { url: 'alpha.ru', history: 1 });
      expect(again.spam).toBeGreaterThan(spam);
      expect(again.history.map(({ cause }) => cause)).toEqual(['first', 'release']);
    });

    test('/trust/history/ uses up no check and checks nothing', async () => {
      await using world = await openTrustWorld(dialect);
      await world.release('first', links);
      const { gateway } = world;
      const user = await gateway.addUser();
      const { token } = user;
      const history = (url: string) => gateway.data<object>('/trust/history/', { url }, { token });
      expect(await history('donor1.ru')).toEqual({ domain: 'donor1.ru', history: [] });
      expect(await gateway.code('/trust/history/', { url: 'ru' }, { token })).toBe(
        'invalid_request',
      );
      expect(world.web.hits).toEqual([]);
      expect(await gateway.core.allowance.take(user.userId)).toMatchObject({ remaining: 999 });
    });

    test('the database refuses to change or remove a point', async () => {
      await using world = await openTrustWorld(dialect, { down: ['donor1.ru'] });
      await world.release('first', links);
      const user = await world.gateway.addUser();
      await check(world, user, { url: 'donor1.ru' });
      const { db } = world.gateway.database;
      const changes = [
        "UPDATE trust_history SET xt_tenths = 100 WHERE domain = 'donor1.ru'",
        'DELETE FROM trust_history',
      ];
      for (const statement of changes) {
        const change = db.transaction((tx) => tx.query(statement, []));
        expect(await change.then(String, String)).toContain('append-only');
      }
      const rows = await db.query('SELECT domain FROM trust_history', []);
      expect(rows).toEqual([{ domain: 'donor1.ru' }]);
    });
  });
}

function hiddenLinks(count: number): string {
  return Array.from(
    { length: count },
    (_, number) => `<a href="http://hidden${number}.com/">x</a>`,
  ).join('');
}
