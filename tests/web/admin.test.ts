/** The page's administration: what an operator does with users, money, prices and books. */
import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { withPage } from '../support/chromium.ts';
import { movableClock, type MovableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway, type TestUser } from '../support/gateway.ts';
import { send } from '../http/records.ts';
import { logIn, loseNextResponse, violations, watched } from './support/browser.ts';

interface Area extends AsyncDisposable {
  gateway: Gateway;
  address: string;
  boss: TestUser;
  clock: MovableClock;
}

async function openArea(dialect: (typeof dialects)[number]): Promise<Area> {
  const clock = movableClock();
  const gateway = await openGateway(dialect, { clock });
  const boss = await gateway.addUser({ login: 'boss', isAdmin: true, credit: 50 });
  const dispose = () => gateway[Symbol.asyncDispose]();
  return { gateway, boss, clock, address: gateway.listen(), [Symbol.asyncDispose]: dispose };
}

/** Opens a screen of the administration as its admin. */
async function open(page: Page, { address, boss }: Area, screen: string): Promise<void> {
  await logIn(page, address, boss.login);
  await page.goto(`${address}/app/${screen}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const show = ({ gateway, boss }: Area, login: string) =>
  gateway.data<Record<string, unknown>>('/admin/users/show/', { login }, boss);

for (const dialect of dialects) {
  describe(`${dialect}: the administration`, () => {
    test('adds a user, tops up after the amount in words, limits, gives a key, blocks and erases', async () => {
      await using area = await openArea(dialect);
      await withPage(async (page) => {
        const problems = watched(page);
        page.on('dialog', (dialog) => void dialog.accept());
        await open(page, area, 'admin/users');
        await page.getByText('Add a user').click();
        await page.getByLabel('New login').fill('carol');
        await page.getByRole('button', { name: 'Add the user' }).click();
        const password = (await page.locator('.notice code').textContent()) ?? '';
        await page.getByRole('link', { name: 'carol' }).click();

        await page.getByLabel('Rubles', { exact: true }).fill('100,25');
        await page.getByLabel('Reason').fill('invoice 7');
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('The new balance is ₽100.25.').waitFor();
        await page.getByText('In words: one hundred rubles 25 kopecks').waitFor();
        expect(await show(area, 'carol')).toMatchObject({ balance: 0 });
        await page.getByRole('button', { name: 'Book it' }).click();
        await page
          .locator('p.good', { hasText: 'Booked: ₽100.25. The balance is ₽100.25.' })
          .waitFor();
        await page.getByRole('cell', { name: 'invoice 7' }).waitFor();
        expect(await show(area, 'carol')).toMatchObject({
          balance: 100.25,
          must_change_password: true,
        });
        expect(await area.gateway.login('carol', password)).toMatch(/\./);

        await page.getByLabel('Credit limit, ₽').fill('5,5');
        const limits = page.locator('form', { has: page.getByLabel('Credit limit, ₽') });
        await limits.getByLabel('Requests a minute').fill('7');
        await limits.getByText('Models', { exact: true }).click();
        for (const id of [1, 2]) await limits.locator(`[name=models][value="${id}"]`).check();
        await page.getByRole('button', { name: 'Set the limits' }).click();
        await page.locator('p.good', { hasText: 'The limits are set.' }).waitFor();
        expect(await show(area, 'carol')).toMatchObject({
          credit_limit: 5.5,
          limits: { requests_per_minute: 7, tokens_per_minute: null, models: [1, 2] },
        });

        await page.getByLabel('Name', { exact: true }).fill('laptop');
        await page.getByRole('button', { name: 'New key' }).click();
        const key = (await page.locator('.notice code').textContent()) ?? '';
        expect(key).toMatch(/^zk_/);
        await page.getByRole('button', { name: 'Revoke: laptop' }).click();
        await page.getByRole('cell', { name: 'revoked' }).waitFor();

        const setRole = page.getByRole('button', { name: 'Set the role' });
        expect(await setRole.isDisabled()).toBe(true);
        await page.getByLabel('Role').selectOption('operator');
        await setRole.click();
        await page.locator('.facts dd', { hasText: 'Operator' }).waitFor();
        expect(await show(area, 'carol')).toMatchObject({ role: 'operator' });

        await page.getByRole('button', { name: 'Block the user' }).click();
        await page.getByRole('button', { name: 'Unblock the user' }).waitFor();
        expect(await show(area, 'carol')).toMatchObject({ is_blocked: true });
        const erase = page.getByRole('button', { name: 'Erase for good' });
        await page.getByLabel('Login', { exact: true }).fill('carl');
        expect(await erase.isDisabled()).toBe(true);
        await page.getByLabel('Login', { exact: true }).fill('carol');
        // The password was entered too long ago.
        area.clock.forward(61_000);
        await erase.click();
        const dialog = page.getByRole('dialog', { name: 'Your password again' });
        await dialog.getByLabel('Password', { exact: true }).fill('a wrong one');
        await dialog.getByRole('button', { name: 'Go on' }).click();
        await dialog.getByText('The password is wrong.').waitFor();
        expect(await violations(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await page.getByText('This needs your password. Nothing was changed.').waitFor();
        await erase.click();
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await dialog.getByRole('button', { name: 'Go on' }).press('Enter');
        await page.getByRole('heading', { level: 1, name: /^erased-\d+$/ }).waitFor();
        await page.getByRole('cell', { name: 'invoice 7' }).waitFor();
        expect(problems.filter((one) => !/status of 40[13]/.test(one))).toEqual([]);
      });
    });

    test('a second click and a lost answer book a top-up once', async () => {
      await using area = await openArea(dialect);
      await area.gateway.addUser({ login: 'dora' });
      await withPage(async (page) => {
        await open(page, area, 'admin/users/dora');
        await page.getByLabel('Rubles', { exact: true }).fill('10');
        await page.getByLabel('Reason').fill('paid');
        await page.getByRole('button', { name: 'Continue' }).click();
        // The server books it, and the answer is lost.
        await loseNextResponse(page, '/admin/users/credit/');
        await page.getByRole('button', { name: 'Book it' }).click();
        await page.getByText('No connection to the server.').waitFor();
        await page.getByRole('button', { name: 'Book it' }).dblclick();
        await page
          .locator('p.good', { hasText: 'Booked: ₽10.00. The balance is ₽10.00.' })
          .waitFor();
        expect(await show(area, 'dora')).toMatchObject({ balance: 10 });
      });
    });

    test('searches, filters and pages in the address, so that Back and a reload keep them', async () => {
      await using area = await openArea(dialect);
      for (let number = 0; number < 55; number++) {
        await area.gateway.addUser({ login: `user-${number}` });
      }
      await withPage(async (page) => {
        await open(page, area, 'admin/users');
        await page.getByText('1–50 of 56').waitFor();
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('51–56 of 56').waitFor();
        await page.reload();
        await page.getByText('51–56 of 56').waitFor();
        await page.getByLabel('Search logins').fill('USER-5');
        await page.getByLabel('Search logins').press('Enter');
        await page.getByRole('link', { name: 'user-5', exact: true }).waitFor();
        const logins = page.locator('table th[scope=row]');
        expect(await logins.allTextContents()).toEqual(
          ['5', '50', '51', '52', '53', '54'].map((number) => `user-${number}`),
        );
        await page.getByLabel('Largest first').check();
        await page.getByLabel('Order').selectOption('login');
        await logins.first().getByText('user-54').waitFor();
        await page.getByRole('link', { name: 'user-53' }).click();
        await page.getByRole('heading', { name: 'user-53' }).waitFor();
        await page.goBack();
        await page.getByRole('link', { name: 'user-54' }).waitFor();
        await page.waitForURL(({ search }) => search === '?q=USER-5&desc=1&order=login');
      });
    });

    test('shows sums that are equal to the books, which it proves; a failed proof is first, and red', async () => {
      await using area = await openArea(dialect);
      const { gateway, boss } = area;
      const alice = await gateway.addUser({ login: 'alice', credit: 10 });
      for (const user of [boss, alice, alice]) {
        await send(gateway, user.token, { room_id: await gateway.room(user.token), message: 'Hi' });
      }
      const [{ sum } = { sum: 0 }] = await gateway.core.db.query<{ sum: number }>(
        `SELECT CAST(-SUM(amount) AS BIGINT) AS sum FROM ledger_entries
         WHERE account = 'user' AND kind = 'charge'`,
      );
      expect(sum).toBeGreaterThan(0);
      const spent = `₽${sum / 1e6}`;
      await withPage(async (page) => {
        await open(page, area, 'admin');
        await page.getByRole('definition').filter({ hasText: spent }).waitFor();
        const rows = page.getByRole('region', { name: 'Largest spend today' }).locator('tbody tr');
        expect(await rows.locator('th').allTextContents()).toEqual(['alice', 'boss']);
        await page.getByRole('button', { name: 'Verify the books' }).click();
        await page.locator('p.good', { hasText: 'The books hold.' }).waitFor();

        await page.getByRole('link', { name: 'Report' }).click();
        const revenue = page.locator('tfoot td.number').nth(3);
        await revenue.getByText(spent).waitFor();
        await page.getByLabel('user', { exact: true }).check();
        await page.getByRole('link', { name: 'alice' }).waitFor();
        expect(await page.locator('tbody tr').count()).toBe(2);
        expect(await revenue.textContent()).toBe(spent);

        await gateway.core.db.transaction((tx) =>
          tx.query('UPDATE accounts SET balance = balance + 1 WHERE user_id = $1', [alice.userId]),
        );
        await page.getByRole('link', { name: 'Overview' }).click();
        await page.getByRole('button', { name: 'Verify the books' }).click();
        const alert = page.getByRole('alert');
        await alert.getByText('THE BOOKS DO NOT HOLD').waitFor();
        await alert.getByText('every balance equals its entries').waitFor();
        const [alertTop, factsTop] = await Promise.all(
          [alert, page.locator('.facts')].map(async (part) => (await part.boundingBox())?.y ?? 0),
        );
        expect(alertTop).toBeLessThan(factsTop ?? 0);
        expect(await violations(page)).toEqual([]);
      });
    });
  });
}

/** Presses Tab until an element with this name and role has the focus. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press('Tab');
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`no Tab leads to ${role} ${name}`);
}

test('a top-up works by keyboard alone', async () => {
  await using area = await openArea('sqlite');
  await area.gateway.addUser({ login: 'erin' });
  await withPage(async (page) => {
    await open(page, area, 'admin');
    await tabTo(page, 'link', 'Users');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'erin' }).waitFor();
    await tabTo(page, 'link', 'erin');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'erin' }).waitFor();
    await page.getByLabel('Rubles', { exact: true }).waitFor();
    await tabTo(page, 'textbox', 'Rubles');
    await page.keyboard.type('3.5');
    await tabTo(page, 'textbox', 'Reason');
    await page.keyboard.type('cash');
    await page.keyboard.press('Enter');
    await page.getByText('The new balance is ₽3.50.').waitFor();
    // The button that books it has the focus already.
    await page.keyboard.press('Enter');
    await page.locator('p.good', { hasText: 'Booked: ₽3.50.' }).waitFor();
    expect(await show(area, 'erin')).toMatchObject({ balance: 3.5 });
  });
});
