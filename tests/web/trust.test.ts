/** The trust reports of the page: their terms add up, and a check is spent only on request. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { withPage } from '../support/chromium.ts';
import { donorsOf } from '../trust/check/links.ts';
import { openTrustWorld } from '../trust/check/world.ts';
import { addressesOf } from '../../web/lib/addresses.ts';
import { logIn, tabTo, violations, watched } from './support/browser.ts';

const words = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
/** Its title is hostile: markup, characters that change the direction of texts, and a formula. */
const TITLE = '=1+1 <b>Альфа</b>\u202E \u200B<img src=http://127.0.0.1:1/ onerror=alert(1)>';
const home = `<!doctype html><html lang="ru"><title>${TITLE.replaceAll('<', '&lt;')}</title><body><p>${words}</p></body></html>`;

function open(dialect: 'sqlite' | 'postgres', allowance = 1000) {
  const env = { ZASTAVA_TRUST_DAILY_ALLOWANCE: String(allowance) };
  return openTrustWorld(dialect, { env, sites: { 'alpha.ru': home, 'beta.ru': home } });
}
const links = [...donorsOf('alpha.ru', 25), ['msu.edu', 'alpha.ru'] as const];

describe.each(dialects)('%s: a report, by keyboard alone,', (dialect) => {
  test('explains its score, and opening it again uses no check', async () => {
    await using world = await open(dialect);
    await world.release('first', links);
    const { gateway } = world;
    const address = gateway.listen();
    const user = await gateway.addUser();
    const left = async () =>
      (await gateway.data<{ trust_remaining: number }>('/account/', {}, user)).trust_remaining;
    await withPage(async (page) => {
      const problems = watched(page);
      const elsewhere: string[] = [];
      page.on('request', (one) => one.url().startsWith(address) || elsewhere.push(one.url()));
      await logIn(page, address, user.login);
      await page.goto(`${address}/app/trust`);
      await tabTo(page, page.getByLabel('Web address'));
      await page.keyboard.type('https://www.alpha.ru/path');
      await page.keyboard.press('Enter');
      await page.getByText('This site has not been checked here yet.').waitFor();
      expect(await left()).toBe(1000);
      await tabTo(page, page.getByRole('button', { name: 'Check now' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'How the score comes about, in points' }).waitFor();
      expect(await left()).toBe(999);
      await page.getByText(/^Ceiling: /).waitFor();
      await page.getByText(/Spam means a junk or deceptive site here\./).waitFor();
      await page.getByText(/^What to do\. Reading it is fine/).waitFor();
      await tabTo(page, page.getByText('Exact terms of the formula'));
      await page.keyboard.press('Enter');
      const { history } = await gateway.data<{ history: { xt: number; spam: number }[] }>(
        '/trust/history/',
        { url: 'alpha.ru' },
        user,
      );
      const { xt, spam } = history[0] ?? { xt: 0, spam: 0 };
      const sumOf = async (name: RegExp) => {
        const sum = page.getByRole('table', { name }).locator('tfoot td').first();
        return Number((await sum.textContent())?.replace('−', '-'));
      };
      expect(Math.round((await sumOf(/^Score/)) * 10) / 10).toBe(xt);
      expect(Math.round(100 / (1 + Math.exp(-(await sumOf(/^Spam/)))))).toBe(spam);
      await page.getByText(`${xt.toFixed(1)} / 10`).waitFor();
      expect(await page.locator('main b, main img').count()).toBe(0);
      expect(await violations(page)).toEqual([]);

      await page.goto(`${address}/app/trust/alpha.ru`);
      await page.getByRole('heading', { name: 'How the score comes about, in points' }).waitFor();
      await page.getByRole('img', { name: 'The score over time' }).waitFor();
      // The server writes the sentences again in the other language, without a new check.
      await page.locator('.opens-menu').click();
      await page.getByRole('combobox', { name: 'Language' }).selectOption('ru');
      await page.getByText(/^Потолок: /).waitFor();
      await page.getByRole('combobox', { name: 'Язык' }).selectOption('en');
      await page.getByText(/^Ceiling: /).waitFor();
      await page.keyboard.press('Escape');
      await tabTo(page, page.getByRole('link', { name: 'msu.edu' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'msu.edu' }).waitFor();
      await page.getByText('This site has not been checked here yet.').waitFor();
      expect(await left()).toBe(999);
      expect(elsewhere).toEqual([]);
      expect(problems).toEqual([]);
    });
  });
});

test.each([
  ['en', 'no: the address is for sale or not in use'],
  ['ru', 'нет: адрес продаётся или не используется'],
])('a parked site is said not to work, and why: %s', async (language, reason) => {
  const parked = `<!doctype html><title>gone.ru is for sale</title><h1>gone.ru is for sale</h1><p>Buy this domain.</p>`;
  await using world = await openTrustWorld('sqlite', { sites: { 'gone.ru': parked } });
  await world.release('first', donorsOf('gone.ru', 25));
  const { gateway } = world;
  const user = await gateway.addUser();
  await gateway.data('/trust/check/', { url: 'gone.ru' }, user);
  const address = gateway.listen();
  await withPage(async (page) => {
    await page.addInitScript(`localStorage.setItem('zastava-language', '${language}')`);
    await logIn(page, address, user.login);
    await page.goto(`${address}/app/trust/gone.ru`);
    await page.getByText(reason, { exact: true }).waitFor();
  });
});

test('a list is checked in calls of 100, and finished checks stay when the allowance is used up', async () => {
  await using world = await open('sqlite', 100);
  await world.release('first', links);
  const { gateway } = world;
  const address = gateway.listen();
  const user = await gateway.addUser();
  // Sites that do not exist take no time: their names are in no zone of the test.
  const sites = ['alpha.ru', ...Array.from({ length: 98 }, (_, index) => `site${index}.ru`)];
  const list = [...sites, 'not a site', '127.0.0.1', 'late1.ru', 'late2.ru'];
  await withPage(async (page) => {
    await logIn(page, address, user.login);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${address}/app/trust/list`);
    await page.getByLabel('Web addresses').fill(list.join('\n'));
    await page.getByText('Checks needed: 105. Left today: 100.').waitFor();
    await page.getByRole('button', { name: 'Check all' }).click();
    await page.getByText('What was checked before stays below.').waitFor();
    await page.getByRole('alert').waitFor();
    const rows = page.getByRole('region', { name: 'Many sites' }).locator('tbody tr');
    expect(await rows.count()).toBe(99);
    expect(await rows.first().locator('th').textContent()).toBe('alpha.ru');
    await page.getByRole('button', { name: 'Turn the order' }).click();
    await rows.last().getByText('alpha.ru').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await violations(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    const csv = await Bun.file(await file.path()).text();
    expect(csv.trimEnd().split('\r\n')).toHaveLength(100);
    expect(csv).toContain(`'=1+1`);
  });
});

test.each([
  ['en', 'Web address: give a domain instead of an IP address', 'Check now'],
  ['ru', 'Адрес сайта: нужен домен, а не IP-адрес', 'Проверить сейчас'],
])('an invalid address is to be corrected, not sent again: %s', async (language, text, check) => {
  await using world = await open('sqlite');
  const { gateway } = world;
  const user = await gateway.addUser();
  const address = gateway.listen();
  await withPage(async (page) => {
    await page.addInitScript(`localStorage.setItem('zastava-language', '${language}')`);
    await logIn(page, address, user.login);
    await page.goto(`${address}/app/trust/127.0.0.1`);
    const problem = page.getByRole('alert');
    await problem.getByText(text).waitFor();
    expect(await problem.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('button', { name: check }).count()).toBe(0);
  });
});

test('a pasted list is read by lines, commas, semicolons and quotes, each address once', () => {
  expect(addressesOf('\uFEFFa.ru\r\n"b.ru";c.ru, a.ru\n\n\td.ru ')).toEqual([
    'a.ru',
    'b.ru',
    'c.ru',
    'd.ru',
  ]);
});
