/** The trust report of the page: it adds up, and costs a check only when asked for. */
import { expect, test } from 'bun:test';
import { withPage } from '../support/chromium.ts';
import { donorsOf } from '../trust/check/links.ts';
import { openTrustWorld } from '../trust/check/world.ts';
import { logIn, violations, watched } from './support/browser.ts';

const words = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const home = `<!doctype html><html lang="ru"><title><b>Альфа</b></title><body><p>${words}</p></body></html>`;

test('a report explains its score, and opening it again uses no check', async () => {
  await using world = await openTrustWorld('sqlite', { sites: { 'alpha.ru': home } });
  await world.release('first', [...donorsOf('alpha.ru', 25), ['msu.edu', 'alpha.ru']]);
  const { gateway } = world;
  const address = gateway.listen();
  const user = await gateway.addUser();
  const left = async () =>
    (await gateway.data<{ trust_remaining: number }>('/account/', {}, user)).trust_remaining;
  const before = await left();
  await withPage(async (page) => {
    const problems = watched(page);
    await logIn(page, address, user.login);
    await page.goto(`${address}/app/trust`);
    await page.getByLabel('Web address').fill('https://www.alpha.ru/path');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This site has not been checked here yet.').waitFor();
    expect(await left()).toBe(before);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('heading', { name: 'What the score is made of' }).waitFor();
    expect(await left()).toBe(before - 1);
    const { xt } = (
      await gateway.data<{ history: { xt: number }[] }>(
        '/trust/history/',
        { url: 'alpha.ru' },
        user,
      )
    ).history[0] ?? { xt: 0 };
    const sum = page
      .getByRole('table', { name: /^Score/ })
      .locator('tfoot td')
      .first();
    expect(Math.round(Number(await sum.textContent()) * 10) / 10).toBe(xt);
    await page.getByText(`${xt} / 10`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await left()).toBe(before - 1);
    expect(problems).toEqual([]);
  });
});
