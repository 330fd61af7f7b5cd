/** Registering in a real browser, by keyboard alone: from the login, and by the link of an invitation. */
import { describe, expect, test } from 'bun:test';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { tabTo, violations, watched } from './support/browser.ts';

describe.each(dialects)('%s: registration', (dialect) => {
  test('by invitation shows what it gives, says what is wrong, and logs in', async () => {
    await using gateway = await openGateway(dialect, {
      env: { ZASTAVA_REGISTRATION: 'invitation' },
    });
    const address = gateway.listen();
    const boss = await gateway.addUser({ login: 'boss', isAdmin: true });
    const body = { credit: '12.5', rubles_per_day: 5 };
    const { link } = await gateway.data<{ link: string }>('/admin/invitations/create/', body, boss);
    await withPage(async (page) => {
      const problems = watched(page);
      const type = async (label: string | RegExp, text: string) => {
        await tabTo(page, page.getByLabel(label));
        await page.keyboard.press('Control+A');
        await page.keyboard.type(text);
      };
      await page.goto(`${address}/app/login`);
      await tabTo(page, page.getByRole('link', { name: 'Register with an invitation' }));
      await page.keyboard.press('Enter');
      await type('Code of the invitation', 'wrong');
      await type('Login', 'boss');
      await type(/^Password/, 'Password1');
      await page.keyboard.press('Enter');
      await page.getByText('This password is too common or too short.').waitFor();
      await type(/^Password/, 'a password of mine');
      await page.keyboard.press('Enter');
      await page.getByText('The code is mistyped.').waitFor();

      await page.goto(address + link.slice(link.indexOf('/app/')));
      await page.getByText('₽12.50').waitFor();
      await page.getByText('₽5.00').waitFor();
      await type('Login', 'boss');
      await type(/^Password/, 'a password of mine');
      await page.keyboard.press('Enter');
      await page.getByText('This login is taken.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.type('dora');
      await page.keyboard.press('Enter');
      await page.getByText('Available: ₽12.50').waitFor();
      expect(page.url()).toMatch(/\/app\/chat$/);
      await page.goto(`${address}/app/register`);
      await page.getByText('You are logged in as dora.').waitFor();
      expect(problems.filter((one) => !/status of 422/.test(one))).toEqual([]);
    });
  });
});
