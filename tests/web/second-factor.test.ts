/** The second factor in a real browser, by keyboard alone: required, set up, requested, ended. */
import { expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { withPage } from '../support/chromium.ts';
import { movableClock } from '../support/clock.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';
import { authenticator } from '../support/second-factor.ts';
import { tabTo, violations, watched } from './support/browser.ts';

/** Types into fields by their labels, then presses Enter. */
async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true }).last();
    await field.waitFor();
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

/** CSS pixels between neighbours in the order of the page, beside or below each other. */
async function gapsOf(buttons: Locator): Promise<number[]> {
  const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
  return boxes.slice(1).map((box, index) => {
    const before = boxes[index];
    if (!before || !box) throw new Error('a button is not shown');
    return Math.max(box.x - before.x - before.width, box.y - before.y - before.height);
  });
}

test('a second factor is set up if the role needs one, requested at the login, and ended', async () => {
  const clock = movableClock();
  const env = { ZASTAVA_ADMIN_SECOND_FACTOR: 'required' };
  await using gateway = await openGateway('sqlite', { clock, env });
  const address = gateway.listen();
  const { login } = await gateway.addUser({ isOperator: true });
  await withPage(async (page) => {
    const problems = watched(page);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${address}/app/admin`);
    await fillIn(page, { Login: login, Password: PASSWORD });
    await page.getByText('Your role needs a second factor').waitFor();
    const menu = await page.getByRole('button', { name: 'Menu' }).boundingBox();
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeCloseTo(360 - 16, 0);
    expect(await violations(page)).toEqual([]);
    await fillIn(page, { Password: PASSWORD });
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const secret = (await page.locator('.notice code').textContent()) ?? '';
    const app = authenticator(secret, clock);
    await fillIn(page, { Code: app.next() });
    await page.getByRole('heading', { name: `Recovery codes of ${login}` }).waitFor();
    expect(await page.locator('.sheet code').count()).toBe(10);
    expect(await gapsOf(page.locator('main button'))).toEqual([8, 8]);
    const [spare = ''] = await page.locator('.sheet code').allTextContents();
    expect(await violations(page)).toEqual([]);
    await press(page, 'I have them');
    // The screen that was requested at the beginning.
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await page.goto(`${address}/app/account/access`);
    const factor = page.getByRole('region', { name: 'Second factor' });
    await factor.getByText('Recovery codes left').waitFor();
    expect(await gapsOf(factor.getByRole('button'))).toEqual([8]);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);

    await press(page, 'Menu');
    await press(page, 'Log out');
    await fillIn(page, { Login: login, Password: PASSWORD });
    await page.getByText('Give the code of your second factor, too.').waitFor();
    await page.locator('[name=code]:focus').waitFor();
    await page.keyboard.type(spare);
    await page.keyboard.press('Enter');
    await page.locator('header.top').waitFor();

    await page.goto(`${address}/app/account/access`);
    await factor.getByText('Recovery codes left').waitFor();
    const field = (name: string) => factor.getByLabel(name, { exact: true });
    await tabTo(page, field('Password'));
    await page.keyboard.type(PASSWORD);
    await tabTo(page, field('Code'));
    await page.keyboard.type(app.next());
    await press(page, 'End the second factor');
    await page.getByText('Your role needs a second factor').waitFor();
  });
});
