/** The account in a real browser, by keyboard alone: keys shown once, sessions ended, the export. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { withPage } from '../support/chromium.ts';
import { openGateway } from '../support/gateway.ts';
import { logIn, tabTo, violations, watched } from './support/browser.ts';

describe.each(dialects)('%s: the account', (dialect) => {
  test('shows a new key once, ends other sessions, and exports all data', async () => {
    await using gateway = await openGateway(dialect);
    const address = gateway.listen();
    const user = await gateway.addUser({ credit: 3 });
    const program = await gateway.login(user.login);
    await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, user.login);
      await page.goto(`${address}/app/account`);
      const press = async (name: string, role: 'button' | 'link' = 'button', back = false) => {
        const target = page.getByRole(role, { name, exact: true }).last();
        await tabTo(page, target, back ? 'Shift+Tab' : 'Tab');
        await page.keyboard.press('Enter');
      };
      await page.getByText('Credit limit').waitFor();
      await press('API keys', 'link', true);
      await tabTo(page, page.getByLabel('Name'));
      await page.keyboard.type('laptop');
      await page.keyboard.press('Enter');
      const key = (await page.locator('.notice code').textContent()) ?? '';
      await gateway.data<object>('/ai/rooms/', {}, { token: key });
      const questions: string[] = [];
      page.once('dialog', (dialog) => {
        questions.push(dialog.message());
        void dialog.dismiss();
      });
      await press('Spend', 'link', true);
      expect(questions).toEqual(['The new key is not shown again. Leave without it?']);
      expect(new URL(page.url()).pathname).toBe('/app/account/keys');
      await press('I have it');

      await press('Change: laptop');
      await tabTo(page, page.getByRole('dialog').getByLabel('Rubles a month (UTC)'));
      await page.keyboard.type('2,5');
      await tabTo(page, page.getByRole('dialog').getByText('Models', { exact: true }));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('dialog').locator('[name=models][value="1"]'));
      await page.keyboard.press('Space');
      await tabTo(page, page.getByRole('dialog').getByLabel('Tags'));
      await page.keyboard.type('ci home');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByText('Rubles a month (UTC): ₽0.00 of ₽2.50').waitFor();
      const { keys } = await gateway.data<{ keys: object[] }>('/account/keys/', {}, user);
      const limits = { rubles_per_month: 2.5, rubles_total: null, models: [1] };
      expect(keys).toMatchObject([{ tags: ['ci', 'home'], limits, expires_at: null }]);
      await press('Change: laptop');
      await tabTo(page, page.getByRole('dialog').getByLabel('End it at once'));
      await page.keyboard.press('Space');
      await press('Make a new secret');
      const secret = (await page.locator('.notice code').textContent()) ?? '';
      expect(await gateway.code('/ai/rooms/', {}, { token: key })).toBe('token_expired');
      await gateway.data<object>('/ai/rooms/', {}, { token: secret });
      await press('I have it');
      await press('Password and sessions', 'link', true);
      const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
      await sessions.waitFor();
      expect(await sessions.locator('tbody tr').count()).toBe(2);
      await sessions.getByRole('cell', { name: /^Chrome, \w+ ?the web page/ }).waitFor();
      expect(await sessions.getByRole('cell', { name: '127.0.0.1' }).count()).toBe(2);
      expect(await violations(page)).toEqual([]);
      await tabTo(page, sessions.getByRole('button', { name: 'End the session' }));
      await page.keyboard.press('Enter');
      await sessions.getByText('a program').waitFor({ state: 'detached' });
      expect(await gateway.code('/account/', {}, { token: program })).toBe('token_revoked');

      await press('Account', 'link', true);
      await page.getByText('Credit limit').waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        press('Download everything'),
      ]);
      const all = (await Bun.file(await file.path()).json()) as {
        data: { profile: { login: string } };
      };
      expect(all.data.profile.login).toBe(user.login);
      expect(problems).toEqual([]);
    });
  });
});
