/** Spend in a real browser: its sums and files agree with the books. */
import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { dialects } from '../support/databases.ts';
import { withPage } from '../support/chromium.ts';
import { type Gateway, openGateway, type TestUser } from '../support/gateway.ts';
import { logIn, violations, watched } from './support/browser.ts';

const HOSTILE = '=HYPERLINK("http://127.0.0.1:1/","<b>free</b>")';

/** A user who sent with and without a key, and was topped up with a hostile reason. */
async function spender(gateway: Gateway): Promise<TestUser> {
  const user = await gateway.addUser({ credit: 50 });
  const { key } = await gateway.data<{ key: string }>(
    '/account/keys/',
    { name: 'build server' },
    user,
  );
  const room_id = await gateway.room(user.token);
  for (const [ai, token] of [
    [1, user.token],
    [1, key],
    [2, key],
  ] as const) {
    await gateway.data<object>('/ai/send/', { room_id, ai, message: 'Count this' }, { token });
  }
  const note = { reason: HOSTILE, madeBy: 'cli' };
  await gateway.core.ledger.credit(user.userId, 7_000_001, note);
  return user;
}

/** The charges and the balance of the books, in micro-rubles. */
async function books({ core: { db } }: Gateway, { userId }: TestUser) {
  const [row] = await db.query<{ charged: number; balance: number }>(
    `SELECT CAST(-SUM(CASE WHEN kind = 'charge' THEN amount ELSE 0 END) AS BIGINT) AS charged,
       CAST(SUM(amount) AS BIGINT) AS balance
     FROM ledger_entries WHERE user_id = $1 AND account = 'user'`,
    [userId],
  );
  return row ?? { charged: 0, balance: 0 };
}

const microOf = (text: string | null) =>
  Math.round(Number((text ?? '').replace(/[^\d.-]/g, '')) * 1e6);

/** The sum row of a table, in micro-rubles. */
async function sumOf(page: Page, heading: string): Promise<number> {
  const section = page.locator('section', { has: page.getByRole('heading', { name: heading }) });
  const cells = await section.locator('tfoot td.number').allTextContents();
  return microOf(cells.at(-1) ?? '');
}

async function csv(page: Page): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /CSV/ }).click(),
  ]);
  const bytes = await Bun.file(await file.path()).bytes();
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  return new TextDecoder().decode(bytes).trimEnd().split('\r\n');
}

describe.each(dialects)('%s: spend', (dialect) => {
  test('is shown by day, model, key and room, and adds up to the books', async () => {
    await using gateway = await openGateway(dialect);
    const address = gateway.listen();
    const user = await spender(gateway);
    const { charged, balance } = await books(gateway, user);
    expect(charged).toBeGreaterThan(0);
    await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, user.login);
      await page.goto(`${address}/app/spend`);
      await page.getByText('build server').waitFor();
      await page.getByRole('link', { name: 'Count this' }).waitFor();
      for (const heading of ['By day', 'By model', 'By API key', 'Rooms with']) {
        expect({ heading, sum: await sumOf(page, heading) }).toEqual({ heading, sum: charged });
      }
      const lines = await csv(page);
      expect(lines).toHaveLength(3);
      expect(
        lines.slice(1).reduce((sum, line) => sum + microOf(line.split(',').at(-1) ?? ''), 0),
      ).toBe(charged);

      await page.getByRole('main').getByRole('combobox').selectOption({ label: 'sandbox-image' });
      await page.waitForURL(/model=2/);
      const rows = page.getByRole('region', { name: 'Spend', exact: true }).locator('tbody tr');
      await rows.nth(1).waitFor({ state: 'detached' });
      expect(await rows.count()).toBe(1);

      await page.getByRole('link', { name: 'Transactions' }).click();
      const table = page.getByRole('region', { name: 'Transactions', exact: true });
      await table.waitFor();
      expect(await table.locator('tbody tr').count()).toBe(5);
      expect(microOf(await table.locator('tfoot td.number').textContent())).toBe(balance);
      await table.getByText(HOSTILE).waitFor();
      expect(await table.locator('b').count()).toBe(0);
      const statement = await csv(page);
      expect(statement).toHaveLength(6);
      expect(statement.find((line) => line.includes('HYPERLINK'))).toContain(`"'=HYPERLINK`);
      expect(problems).toEqual([]);
    });
  });
});

test('spend is used by keyboard alone, in both languages and themes, and fits a phone', async () => {
  await using gateway = await openGateway('sqlite');
  const address = gateway.listen();
  const user = await spender(gateway);
  for (const [scheme, language] of [
    ['light', 'ru'],
    ['dark', 'en'],
  ] as const) {
    await withPage(async (page) => {
      const problems = watched(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await page.addInitScript(`localStorage.setItem('zastava-language', '${language}')`);
      await logIn(page, address, user.login);
      await page.goto(`${address}/app/spend`);
      await page.locator('figure.plot').waitFor();
      await page.getByText('build server').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      // The heading has the focus: the links of the area come before it.
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(/spend\/transactions/);
      await page.locator('table').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(problems).toEqual([]);
    });
  }
});
