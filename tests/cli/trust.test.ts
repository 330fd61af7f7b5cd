/** The trust commands with their results, beside a running server, on both databases. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { donorsOf, writeGraph, type Links } from '../trust/check/links.ts';
import { openWeb, page } from '../trust/crawl/web.ts';
import { logIn, openInstallation, post, printedPassword } from './installation.ts';

const text = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const html = (title: string) =>
  `<!doctype html><html lang="ru"><title>${title}</title><body><p>${text}</p></body></html>`;
const links: Links = [
  ...donorsOf('alpha.ru', 25),
  ['alpha.ru', 'beta.ru'],
  ['msu.edu', 'alpha.ru'],
  ['spam.ru', 'gamma.ru'],
];

interface Listed {
  name: string;
  domains: number;
  links: number;
  ranked: boolean;
  current: boolean;
}

interface Checked {
  domain: string;
  xt: number;
  title: string;
  colour: string;
  release: string | null;
  workability: string;
  donors: number;
  acceptors: number;
  spam: number;
  components: { name: string; value: number }[];
  history: { cause: string }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: zastava trust`, () => {
    test('import, seeds, rank, check and release, while a server answers from the result', async () => {
      await using web = openWeb({ 'alpha.ru/': html('Альфа') });
      await using installation = await openInstallation(dialect);
      Object.assign(installation.env, {
        ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
        ZASTAVA_FETCH_RESOLVE: `${web.resolve},spam.ru:80=127.0.0.1:1`,
      });
      const { dir, json, run } = installation;
      const server = await installation.serve();
      const token = await logIn(server.url, 'admin', printedPassword(server.out()));
      const checked = async (url: string) =>
        (await post(server.url, '/trust/check/', { url }, token)).body.data;
      expect(await checked('alpha.ru')).toMatchObject({ confidence: 'none', title: 'Альфа' });

      const nothing = await run(['trust', 'rank']);
      expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('no graph yet')]);
      const { vertices, edges } = await writeGraph(dir, links);
      const words = ['trust', 'import', '--vertices', vertices, '--edges', edges];
      expect(await json<object>([...words, '--release', 'one'])).toMatchObject({
        release: 'one',
        nodes: 30,
        edges: links.length,
      });
      const early = await run(['trust', 'release', 'use', 'one']);
      expect([early.code, early.err]).toEqual([
        1,
        expect.stringContaining('trust rank --release one'),
      ]);

      await writeFile(
        join(dir, 'spam.txt'),
        '# our list\nspam.ru\n\nhttp://WWW.spam.ru/x\nno \u001b[31mdomain\n',
      );
      const added = await run(['trust', 'seeds', 'add', '--spam', join(dir, 'spam.txt')]);
      expect(added.out).toBe('1 spam domain added\n');
      expect(added.err).toContain('line 5 skipped: no \\u001b[31mdomain');
      await run(['trust', 'seeds', 'add', '--trusted', '-'], { stdin: 'пример.рф\nalpha.ru\n' });
      await writeFile(join(dir, 'both.txt'), 'spam.ru\n');
      const both = ['--trusted', join(dir, 'both.txt'), '--spam', join(dir, 'spam.txt')];
      expect((await run(['trust', 'seeds', 'add', ...both])).err).toContain(
        'spam.ru is in both files, and on the list spam now',
      );
      const date = expect.any(String);
      const piped = { kind: 'trusted', source: 'standard input', date };
      expect(await json<object>(['trust', 'seeds', 'list'])).toEqual([
        { domain: 'alpha.ru', ...piped },
        { domain: 'spam.ru', kind: 'spam', source: 'spam.txt', date },
        { domain: 'xn--e1afmkfd.xn--p1ai', ...piped },
      ]);
      const tranco = ['trust', 'seeds', 'add', '--spam', '-', '--source', 'T', '--date'];
      const moved = await run([...tranco, '2026-01-02'], { stdin: '1,alpha.ru\n2,x.alpha.ru\n' });
      expect(moved.out).toBe(
        '1 spam domain added, 1 of them from the other list, read as tranco\n',
      );
      expect(moved.err).toContain('line 2 skipped: 2,x.alpha.ru: names a host of alpha.ru');
      const sources = await run(['trust', 'seeds', 'list', '--sources']);
      expect(sources.out).toMatch(/^spam +1 +T +2026-01-02$/m);
      expect((await run(['trust', 'seeds', 'remove', '--source', 'T'])).out).toBe(
        '1 domain removed\n',
      );
      expect((await run(['trust', 'seeds', 'remove'])).err).toContain('name domains, or a source');
      await run(['trust', 'seeds', 'add', '--trusted', '-'], { stdin: 'alpha.ru\n' });
      const removed = await run(['trust', 'seeds', 'remove', 'http://пример.рф/', 'beta.ru']);
      expect(removed).toMatchObject({ code: 0, out: '1 domain removed\n' });
      expect(removed.err).toBe('zastava: on neither list: beta.ru\n');
      expect(
        await json<object>(['trust', 'seeds', 'remove', '-'], { stdin: 'beta.ru\n# none\nx\n' }),
      ).toMatchObject({ removed: [], unknown: ['beta.ru'], bad: [{ line: 3 }] });

      const ranked = await run(['trust', 'rank']);
      expect(ranked.code).toBe(0);
      expect(ranked.out).toMatch(/^release: +one$/m);
      expect(ranked.out).toMatch(/^spam seeds: +1$/m);
      expect(ranked.err).toContain('domains of a link farm may count as independent donors');
      await until(async () => (await checked('alpha.ru'))['release'] === 'one');
      const served = await checked('alpha.ru');

      const [record] = await lines<Checked>(run(['trust', 'check', 'http://ALPHA.ru/', '--json']));
      expect(record).toMatchObject({
        domain: 'alpha.ru',
        title: 'Альфа',
        release: 'one',
        workability: 'да',
        donors: 26,
        xt: served['xt'],
        spam: served['spam'],
        components: served['components'],
      });

      // A second release, ranked, then back to the first.
      await json<object>([...words, '--release', 'two']);
      await run(['trust', 'seeds', 'add', '--spam', '-', '--source', 'T'], { stdin: 'alpha.ru\n' });
      const compared = await run(['trust', 'rank', '--release', 'two', '--diff']);
      expect(compared.out).toMatch(/^compared with: +one, ranked 20.+, formula 2$/m);
      expect(compared.out).toMatch(/^what differs: +the link graph, your lists$/m);
      expect(compared.out).toMatch(/^ {2}1 spam domain added \(T\)$/m);
      expect(compared.out).toMatch(/^alpha\.ru +\w+ -> orange .+the lists of this service \+/m);
      const again = await json<object>(['trust', 'rank', '--release', 'two', '--diff']);
      expect(again).toMatchObject({ diff: { before: { release: 'two' }, lists: [], changes: [] } });
      await until(async () => (await checked('alpha.ru'))['release'] === 'two');
      expect((await run(['trust', 'release', 'use', 'one'])).out).toBe('one is in use now\n');
      await until(async () => (await checked('alpha.ru'))['release'] === 'one');
      const listed = await json<Listed[]>(['trust', 'release', 'list']);
      expect(listed).toMatchObject([
        { name: 'one', domains: 30, links: links.length, ranked: true, current: true },
        { name: 'two', ranked: true, current: false },
      ]);
      expect((await run(['trust', 'release', 'list'])).out).toMatch(
        /^one +30 +53 .* yes +yes +no$/m,
      );
      expect((await run(['trust', 'release', 'use', 'three'])).code).toBe(1);

      const inUse = await run(['trust', 'release', 'remove', 'one']);
      expect([inUse.code, inUse.err]).toEqual([
        1,
        expect.stringContaining('make another one current first'),
      ]);
      expect((await run(['trust', 'release', 'remove', 'two'])).out).toBe('two is removed\n');
      expect((await run(['trust', 'release', 'remove', 'two'])).code).toBe(1);
      expect(await json<Listed[]>(['trust', 'release', 'list'])).toMatchObject([{ name: 'one' }]);
      expect((await checked('alpha.ru'))['release']).toBe('one');
    }, 300_000);

    test('check prints a report for people, a line for machines, and reads standard input', async () => {
      await using web = openWeb({ 'alpha.ru/': html('Аль\u001b[2Jфа') });
      await using installation = await openInstallation(dialect);
      Object.assign(installation.env, {
        ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
        ZASTAVA_FETCH_RESOLVE: web.resolve,
      });
      const { dir, json, run } = installation;
      const { vertices, edges } = await writeGraph(dir, links);
      await json<object>(['trust', 'import', '--vertices', vertices, '--edges', edges]);
      await json<object>(['trust', 'rank']);

      const offline = await run(['trust', 'check', '--offline', '--json', 'alpha.ru']);
      expect(JSON.parse(offline.out)).toMatchObject({ title: '', workability: 'не известно' });
      expect(web.hits).toEqual([]);
      // The title could not be read, nor the links of the page counted.
      const unread = await run(['trust', 'check', '--offline', 'gamma.ru']);
      expect(unread.out).toMatch(/^Title: +unknown: its home page was not read$/m);
      expect(unread.out).toMatch(/^Linked from \(sites\): +1\nLinks to \(sites\): +unknown: .+$/m);

      const { out, code } = await run(['trust', 'check', 'alpha.ru']);
      expect(code).toBe(0);
      expect(out).toMatch(/^Site: +alpha\.ru$/m);
      expect(out).toMatch(/^Score: +\d+\.\d \/ 10 — (?:green|yellow|orange): /m);
      expect(out).toMatch(/^Title: +Аль\[2Jфа$/m);
      expect(out).toMatch(
        /^What that means:\n {2}The score shows .+\n(?: {2}These data .+\n)?(?: {2}(?:Green|Yellow|Orange), because .+\n) {2}The score is measured roughly/m,
      );
      expect(out).toMatch(/^ +\+\d\.\d {2}Links: 2\d sites link to it\. /m);
      expect(out).toMatch(
        /^Sites that its trust comes through, ten at most:\n {2}msu\.edu \(\d+\.\d%\)$/m,
      );
      expect(out).toMatch(
        /^History, newest first:\n {2}\d{4}-\d\d-\d\d: \d+\.\d \(first check\)\nCalculated with version 2 of the formula from the link data “.+”\.$/im,
      );
      // The English report contains only English, except for the site's own title.
      expect(out.replace(/^Title: .*$/m, '')).not.toMatch(/[А-яЁё]/);
      const russian = await run(['trust', 'check', 'alpha.ru'], { env: { LANG: 'ru_RU.UTF-8' } });
      expect(russian.out).toMatch(/^Оценка: +\d+,\d \/ 10 — (?:зелёный|жёлтый|оранжевый): /m);
      expect(russian.out.replace(/^Сайт: .*$|«.+»|msu\.edu/gm, '')).not.toMatch(/[a-z]/);
      const chosen = await run(['trust', 'check', '--json', '--lang', 'ru', 'alpha.ru'], {
        env: { LC_ALL: 'C', LANG: 'ru_RU.UTF-8' },
      });
      expect(JSON.parse(chosen.out)).toMatchObject({
        workability: 'да',
        summary: expect.arrayContaining([expect.stringContaining('Оценка измерена')]),
      });
      const unset = await run(['trust', 'check', 'alpha.ru'], { env: { LC_ALL: 'C', LANG: 'ru' } });
      expect(unset.out).toBe(out);
      const cyrillic = await run(['trust', 'check', '--offline', 'пример.рф', 'alpha.ru']);
      expect(cyrillic.out).toMatch(/^Site: +пример\.рф \(xn--e1afmkfd\.xn--p1ai\)\n/);
      expect(cyrillic.out).toMatch(/\n\nSite: +alpha\.ru\n/);

      const many = Array.from({ length: 40 }, (_, number) => `donor${number % 25}.ru`);
      const input = [...many.slice(0, 20), 'рф', '', ...many.slice(20)].join('\r\n');
      const all = await run(['trust', 'check', '--offline', '--json', '-'], { stdin: input });
      const records = all.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Checked & { url?: string });
      const subjects = records.map(({ domain, url }) => domain ?? url);
      expect(subjects).toEqual([...many.slice(0, 20), 'рф', ...many.slice(20)]);
      const message = expect.stringContaining('public suffix');
      expect(records[20]).toEqual({ url: 'рф', error: 'invalid_request', message } as never);
      expect(all.code).toBe(1);
      expect(JSON.parse(all.err)).toMatchObject({ error: { code: 'invalid_request' } });
      const plain = await run(['trust', 'check', '--offline', '-'], { stdin: '\nco.uk\n' });
      expect(plain.err).toStartWith('zastava: line 2: co.uk: give a domain below');
      const word = await run(['trust', 'check', '--offline', 'co.uk']);
      expect(word.err).toStartWith('zastava: co.uk: give a domain below');
    }, 300_000);
  });
}

test('an import reports what it skips; a graph without links does not replace one with links', async () => {
  await using installation = await openInstallation();
  const { dir, json, run } = installation;
  const { vertices, edges } = await writeGraph(dir, links);
  const words = ['trust', 'import', '--vertices', vertices, '--edges', edges, '--release'];
  await json<object>([...words, 'good']);
  await json<object>(['trust', 'rank']);
  const whole = await Bun.file(edges).text();
  await writeFile(edges, `${whole}0 1\n0\t0\n0\t99\n`);
  const partly = await run([...words, 'partly']);
  expect(partly.out).toMatch(/^edge lines left out: +2\nlinks to themselves: +1$/m);
  expect(partly.err).toContain(`${edges} line ${links.length + 1}: not "from TAB to": "0 1"\n`);
  expect(partly.err).toContain('an id that is not in the vertices file: "0\\t99"\n');
  await writeFile(edges, whole.replaceAll('\t', ' '));
  const spaced = await run([...words, 'spaced']);
  expect([spaced.code, spaced.err]).toEqual([1, expect.stringContaining('53 of 53 lines are')]);
  await writeFile(edges, '0\t0\n');
  const refused = await run([...words, 'empty']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('nothing to rank')]);
  const listed = await json<Listed[]>(['trust', 'release', 'list']);
  expect(listed.find(({ current }) => current)?.name).toBe('good');

  // A damaged release in use is named.
  const manifest = join(dir, 'data/trust/releases/good/manifest.json');
  await writeFile(manifest, 'cut off');
  const fault = "release good is in use but can't be opened: release good was written by another";
  expect((await run(['trust', 'release', 'list'])).err).toContain(fault);
  const check = await run(['trust', 'check', '--offline', 'alpha.ru']);
  expect([check.out, check.err]).toEqual([
    expect.stringContaining('This server has no data on who links to whom'),
    expect.stringContaining(fault),
  ]);
}, 300_000);

test('crawl reads a small web; rank makes a release of the crawl and the import', async () => {
  await using web = openWeb({
    'one.ru/': page('http://two.ru/', 'http://three.ru/'),
    'two.ru/': page('http://three.ru/', 'http://alpha.ru/'),
    'three.ru/': page('http://one.ru/ nofollow'),
    'alpha.ru/': page(),
  });
  await using installation = await openInstallation();
  Object.assign(installation.env, {
    ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
    ZASTAVA_FETCH_RESOLVE: web.resolve,
  });
  const { dir, json, run } = installation;
  const idle = await run(['trust', 'crawl']);
  expect([idle.code, idle.err]).toEqual([0, expect.stringContaining('no site waits to be read')]);
  await writeFile(join(dir, 'seeds.txt'), 'one.ru\nno domain\n');
  const words = ['trust', 'crawl', '--seeds', join(dir, 'seeds.txt'), '--pages', '1'];
  const begun = await run(words);
  expect(begun.err).toContain('line 2 skipped: no domain');
  expect(begun.out).toMatch(/^pages read: +1$/m);
  // Without seeds, it continues with the waiting sites.
  const crawled = await json<{ read: number; sites_finished: number }>([
    'trust',
    'crawl',
    '--pages',
    '10',
  ]);
  expect(crawled).toMatchObject({ read: 3, sites_finished: 3 });
  const counts = async (domain: string) => {
    const [record] = await lines<Checked>(
      installation.run(['trust', 'check', '--offline', '--json', domain]),
    );
    return [record?.donors, record?.acceptors, record?.release === null];
  };
  // Before any release exists, what the crawl has seen already counts.
  expect(await counts('three.ru')).toEqual([2, 0, true]);
  const { vertices, edges } = await writeGraph(dir, [...links, ['alpha.ru', 'two.ru']]);
  await json<object>(['trust', 'import', '--vertices', vertices, '--edges', edges]);
  await json<object>(['trust', 'rank']);
  expect(await counts('three.ru')).toEqual([2, 0, false]);
  expect(await counts('two.ru')).toEqual([2, 2, false]);
  expect(await counts('alpha.ru')).toEqual([27, 2, false]);

  // Beside a base, the crawl becomes a separate release; the base knows what the crawl does not.
  const [{ name: whole } = { name: '' }] = await json<Listed[]>(['trust', 'release', 'list']);
  expect(await json<object>(['trust', 'rank', '--release', whole])).toMatchObject({
    release: whole,
  });
  expect((await run(['trust', 'release', 'use', '--base', whole])).out).toBe(
    `${whole} is in use now, with ${whole} as the base\n`,
  );
  const alone = await json<{ release: string; nodes: number }>(['trust', 'rank']);
  expect(alone.nodes).toBe(4);
  expect((await run(['trust', 'rank', '--release', whole])).out).toMatch(/^it stays the base$/m);
  const checked = await lines<Checked>(
    run(['trust', 'check', '--offline', '--json', 'two.ru', 'donor1.ru']),
  );
  expect(checked).toMatchObject([
    { release: alone.release, donors: 1, base: { release: whole, donors: 1, first_seen: whole } },
    { release: whole, donors: 1, base: { release: whole, institution_donors: 0, before: null } },
  ]);
  const shown = await run(['trust', 'check', '--offline', 'two.ru']);
  expect(shown.out).toMatch(
    /^In the whole web: +\S+: 1 site links to it.*bodies: 0; first seen in /m,
  );
  const without = await run(['trust', 'release', 'use', alone.release, '--no-base']);
  expect(without.out).toBe(`${alone.release} is in use now\n`);
}, 300_000);

/** The output of a command with --json, one line each. */
async function lines<T>(finished: Promise<{ out: string }>): Promise<T[]> {
  const { out } = await finished;
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** Waits until another process's change is seen, at most until the time limit of the test. */
async function until(isSeen: () => Promise<boolean>): Promise<void> {
  while (!(await isSeen())) await Bun.sleep(50);
}
