/** The operator's business: vouchers made and redeemed, the report, and the parts that an operator does not see. */
import { describe, expect, test } from 'bun:test';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { logIn, tabTo, violations, watched } from './support/browser.ts';

describe.each(dialects)('%s: an operator', (dialect) => {
  test('makes vouchers by keyboard alone, a user redeems one, the report has the payment, and the audit the acts', async () => {
    await using gateway = await openGateway(dialect);
    const address = gateway.listen();
    const boss = await gateway.addUser({ isAdmin: true });
    const [olga, ivan] = [await gateway.addUser(), await gateway.addUser({ credit: 1 })];
    await gateway.data('/admin/users/role/', { login: olga.login, role: 'operator' }, boss);
    const codes = await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, olga.login);
      await page.goto(`${address}/app/admin/vouchers`);
      for (const hidden of ['Models and prices', 'Link graph']) {
        expect(await page.getByRole('link', { name: hidden }).count()).toBe(0);
      }
      await tabTo(page, page.getByLabel('Rubles of each'));
      await page.keyboard.type('12,5');
      await tabTo(page, page.getByLabel('Note'));
      await page.keyboard.type('<b>fair</b>');
      await page.keyboard.press('Enter');
      await page.getByText('The codes are shown only now').waitFor();
      expect(await violations(page)).toEqual([]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /CSV/ }).click(),
      ]);
      const lines = (await Bun.file(await file.path()).text()).trimEnd().split('\r\n').slice(1);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('header.top').isVisible()).toBe(false);
      expect(await page.locator('.sheet code').allTextContents()).toEqual(
        lines.map((line) => line.split(',')[1] ?? ''),
      );
      await page.emulateMedia({ media: 'screen' });
      await page.getByRole('button', { name: 'I have them' }).click();
      await page.getByRole('cell', { name: '<b>fair</b>' }).waitFor();
      await page.goto(`${address}/app/admin/models`);
      await page.getByRole('heading', { name: 'This screen is for admins' }).waitFor();
      await page.goto(`${address}/app/admin/users/${boss.login}`);
      await page.getByRole('heading', { name: 'Transactions' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Top up or correct' }).count()).toBe(0);
      await page.goto(`${address}/app/admin/users/${ivan.login}`);
      await page.getByLabel('Role').waitFor();
      const roles = await page.getByLabel('Role').locator('option').allTextContents();
      expect(roles).toEqual(['User', 'Operator']);
      expect(problems).toEqual([]);
      return lines.map((line) => line.split(',')[1] ?? '');
    });
    expect(codes).toHaveLength(10);

    await withPage(async (page) => {
      await logIn(page, address, ivan.login);
      await page.goto(`${address}/app/account`);
      const redeem = async (code: string) => {
        await page.getByLabel('Code of the voucher').fill(code);
        await page.getByLabel('Code of the voucher').press('Enter');
      };
      await redeem('wrong');
      await page.getByText('The code is mistyped').waitFor();
      await redeem(codes[0]?.toLowerCase().replaceAll('-', ' ') ?? '');
      await page.getByText('Credited: ₽12.50. The balance is ₽13.50.').first().waitFor();
      await page.getByText('Available: ₽13.50').waitFor();
    });

    await gateway.data('/ai/send/', { ...(await estimateBody(ivan.token)) }, ivan);
    await withPage(async (page) => {
      const problems = watched(page);
      page.on('dialog', (dialog) => void dialog.accept());
      await logIn(page, address, olga.login);
      await page.goto(`${address}/app/admin/vouchers/1`);
      await page.getByRole('link', { name: ivan.login }).waitFor();
      await page.getByRole('button', { name: 'Revoke all that are left' }).click();
      await page.getByRole('cell', { name: 'revoked' }).nth(8).waitFor();
      await page.goto(`${address}/app/admin/report?by=user,key`);
      await page.getByRole('img', { name: /^Revenue by day/ }).waitFor();
      await page.getByText('+₽13.50').waitFor();
      const { total } = await gateway.data<{ total: { revenue: number } }>(
        '/admin/report/',
        {},
        boss,
      );
      expect(total.revenue).toBeGreaterThan(0);
      const sums = page.getByRole('region', { name: 'Report' }).locator('tfoot td.number');
      expect(await sums.nth(3).textContent()).toBe(`₽${total.revenue}`);
      expect(await violations(page)).toEqual([]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /CSV/ }).click(),
      ]);
      const csv = await Bun.file(await file.path()).text();
      expect(csv).toContain(`${ivan.login},,1,`);
      expect(problems).toEqual([]);
    });

    await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, boss.login);
      await page.goto(`${address}/app/admin/audit`);
      const acts = page.getByRole('region', { name: 'Audit' });
      await acts.getByRole('row').filter({ hasText: olga.login }).first().waitFor();
      const all = await acts.locator('tbody tr').count();
      await tabTo(page, page.getByRole('searchbox', { name: 'About' }));
      await page.keyboard.type(olga.login);
      await page.keyboard.press('Enter');
      await acts.getByRole('cell', { name: 'role: user → operator' }).waitFor();
      // Until the answer arrives, the old list stays.
      await acts
        .locator('tbody tr')
        .nth(all - 1)
        .waitFor({ state: 'detached' });
      expect(await violations(page)).toEqual([]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /CSV/ }).click(),
      ]);
      expect(await Bun.file(await file.path()).text()).toContain('role: user → operator');
      expect(problems).toEqual([]);
    });

    async function estimateBody(token: string) {
      return { room_id: await gateway.room(token), ai: 1, message: 'Count this' };
    }
  });
});
