/** Invitations made, and registering with one, in a real browser and by keyboard alone. */
import { describe, expect, test } from 'bun:test';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { logIn, tabTo, violations, watched } from './support/browser.ts';

describe.each(dialects)('%s: registration', (dialect) => {
  test('by invitation shows what it gives, says what is wrong, and logs in', async () => {
    await using gateway = await openGateway(dialect, {
      env: { ZASTAVA_REGISTRATION: 'invitation' },
    });
    const address = gateway.listen();
    const boss = await gateway.addUser({ login: 'boss', isAdmin: true });
    const link = await withPage(async (page) => {
      const problems = watched(page);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await logIn(page, address, boss.login);
      await page.goto(`${address}/app/admin/invitations`);
      await page.getByText('No invitations yet.').waitFor();
      for (const [label, text] of [
        ['How many', '2'],
        ['Rubles for each user', '12,5'],
        ['Note', '<b>team</b>'],
      ] as const) {
        await tabTo(page, page.getByLabel(label));
        await page.keyboard.press('Control+A');
        await page.keyboard.type(text);
      }
      await tabTo(page, page.getByText('Limits', { exact: true }));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByLabel('Rubles a day (UTC)'));
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      await page.getByText('The codes are shown only now').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.locator('.sheet li').count()).toBe(2);
      await tabTo(page, page.getByRole('button', { name: 'Copy the link' }).first());
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      await page.getByRole('button', { name: 'I have them' }).press('Enter');
      await page.getByRole('cell', { name: '<b>team</b>' }).nth(1).waitFor();
      expect(problems).toEqual([]);
      return copied;
    });
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
      await page.waitForURL(/\/app\/chat$/);
      await page.goto(`${address}/app/register`);
      await page.getByText('You are logged in as dora.').waitFor();
      expect(problems.filter((one) => !/status of 422/.test(one))).toEqual([]);
    });

    await withPage(async (page) => {
      page.on('dialog', (dialog) => void dialog.accept());
      await logIn(page, address, boss.login);
      await page.goto(`${address}/app/admin/invitations`);
      await page.getByRole('cell', { name: '1 of 1' }).waitFor();
      await tabTo(page, page.getByRole('row', { name: '1 of 1' }).getByRole('link'));
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'dora' }).waitFor();
      await tabTo(page, page.getByRole('button', { name: 'Revoke' }));
      await page.keyboard.press('Enter');
      await page.locator('.facts dd', { hasText: 'revoked' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
});
