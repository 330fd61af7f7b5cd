/** The page in a real browser, as people use it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { openGateway, PASSWORD, type Gateway, type TestUser } from '../support/gateway.ts';
import { withPage } from '../support/chromium.ts';
import { watched, logIn, violations } from './support/browser.ts';

let gateway: Gateway;
let address: string;
let alice: TestUser;

beforeAll(async () => {
  gateway = await openGateway('sqlite');
  address = gateway.listen();
  alice = await gateway.addUser({ login: 'alice', credit: 12.5 });
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('the session', () => {
  test('a visitor logs in, and gets the requested screen', async () => {
    await withPage(async (page) => {
      const problems = watched(page);
      await page.goto(`${address}/app/register`);
      await page.getByText('Nobody can register here now.').waitFor();
      await page.goto(`${address}/app/account`);
      await page.getByLabel('Login').fill(alice.login);
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('The login or the password is wrong.').waitFor();
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      await page.waitForURL('**/app/account');
      await page.getByText('Available: ₽12.50').waitFor();
      expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    });
  });

  test('a requested room is opened after the login', async () => {
    const room = await gateway.room(alice.token);
    await withPage(async (page) => {
      await page.goto(`${address}/app/chat/${room}`);
      await page.getByLabel('Login').fill(alice.login);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('header.top').waitFor();
      // The browser may report the new address after the screen is there.
      await page.waitForURL(`**/app/chat/${room}`);
    });
  });

  test('an initial password is changed before anything else', async () => {
    const boss = await gateway.addUser({ isAdmin: true });
    const body = { login: 'dora', password: PASSWORD, must_change_password: true };
    await gateway.data('/admin/users/add/', body, boss);
    await withPage(async (page) => {
      await logIn(page, address, 'dora');
      await page.getByText('Your password is an initial one.').waitFor();
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByLabel('New password').fill('a password of her own');
      await page.getByRole('button', { name: 'Change the password' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Password', { exact: true }).fill('a password of her own');
      await dialog.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    });
  });

  test('no script can read the session', async () => {
    await withPage(async (page) => {
      await logIn(page, address, alice.login);
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).toBe('[{},{}]');
    });
  });

  test('logging out in one tab ends the other', async () => {
    await withPage(async (page) => {
      await logIn(page, address, alice.login);
      const other = await page.context().newPage();
      await other.goto(`${address}/app/spend`);
      await other.getByRole('button', { name: 'Menu' }).click();
      await other.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel('Login').waitFor();
    });
  });
});

describe('the chat', () => {
  const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });

  test('a message opens a room, is answered, and shows what it cost', async () => {
    await withPage(async (page) => {
      const problems = watched(page);
      const bob = await gateway.addUser({ credit: 10, isAdmin: true });
      await logIn(page, address, bob.login);
      await message(page).fill('Good morning');
      await message(page).press('Enter');
      await page.getByText('You wrote: “Good morning”').waitFor();
      const footer = page.locator('article footer');
      await footer.getByText('sandbox-text').waitFor();
      await page.waitForURL(/\/app\/chat\/[^/]+$/);
      const { data } = await gateway.data<{
        data: { cost_request: number; cost_response: number }[];
      }>('/ai/history/', { room_id: new URL(page.url()).pathname.split('/').at(-1) }, bob);
      const [
        { cost_request: costOfRequest, cost_response: answered } = {
          cost_request: 0,
          cost_response: 0,
        },
      ] = data;
      const micro = Math.round((costOfRequest + answered) * 1e6);
      await footer.getByText(`₽${micro / 1e6}`).waitFor();
      await page.getByRole('link', { name: 'Good morning' }).waitFor();
      await message(page).fill('And again');
      await page.getByText(/^at most ₽[\d.]+, likely ₽[\d.]+$/).waitFor();
      expect(problems).toEqual([]);
    });
  });

  test('a draft survives a reload', async () => {
    await withPage(async (page) => {
      await logIn(page, address, alice.login);
      await message(page).fill('Not sent yet');
      await page.reload();
      await page.locator('header.top').waitFor();
      expect(await message(page).inputValue()).toBe('Not sent yet');
    });
  });
});

describe('administration', () => {
  test('is not shown to others', async () => {
    await withPage(async (page) => {
      await logIn(page, address, alice.login);
      expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
      await page.goto(`${address}/app/admin/users`);
      await page
        .getByRole('heading', { name: 'This screen is for operators and admins' })
        .waitFor();
    });
  });
});

describe('the header', () => {
  test('has one row on a phone, and its menu works by keyboard', async () => {
    await withPage(async (page) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await logIn(page, address, alice.login);
      const { height = 640 } = (await page.locator('header.top').boundingBox()) ?? {};
      expect(height).toBeLessThanOrEqual(64);
      const menu = page.getByRole('button', { name: 'Menu' });
      const spend = page.getByRole('link', { name: 'Spend' });
      expect(await spend.isVisible()).toBe(false);
      await menu.press('Enter');
      expect(await menu.getAttribute('aria-expanded')).toBe('true');
      expect(await violations(page)).toEqual([]);
      await spend.focus();
      await page.keyboard.press('Escape');
      expect(await spend.isVisible()).toBe(false);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
      await menu.press('Enter');
      await spend.press('Enter');
      await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor();
      expect(await menu.getAttribute('aria-expanded')).toBe('false');
    });
  });
});
