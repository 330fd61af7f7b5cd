/** Refunds that an operator makes on the page. */
import { describe, expect, test } from 'bun:test';
import { send } from '../http/records.ts';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { logIn, loseNextResponse, tabTo, violations, watched } from './support/browser.ts';

describe.each(dialects)('%s: a refund', (dialect) => {
  test('of a part, then of the rest, by keyboard alone; a lost answer is repeated once', async () => {
    await using gateway = await openGateway(dialect);
    const address = gateway.listen();
    const boss = await gateway.addUser({ isAdmin: true });
    const alice = await gateway.addUser({ login: 'alice', credit: 10 });
    const sent = await send(gateway, alice.token, {
      room_id: await gateway.room(alice.token),
      message: 'Hi',
    });
    const balance = async () =>
      (await gateway.data<{ balance: number }>('/admin/users/show/', { login: 'alice' }, boss))
        .balance;
    await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, boss.login);
      await page.goto(`${address}/app/admin/users/alice`);
      const button = page.getByRole('button', { name: `Refund message ${sent.id}` });
      const dialog = page.getByRole('dialog', { name: `Refund message ${sent.id}` });
      const fillIn = async (amount: string) => {
        await tabTo(page, button);
        await page.keyboard.press('Enter');
        await tabTo(page, dialog.getByLabel('Rubles'));
        await page.keyboard.type(amount);
        await tabTo(page, dialog.getByLabel('Reason'));
        await page.keyboard.type('cut off');
      };
      await fillIn('11');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await dialog.getByText(/must be above 0 and at most/).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await balance()).toBeLessThan(10);

      await fillIn('');
      await tabTo(page, dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();

      await fillIn('0,000001');
      await loseNextResponse(page, '/admin/users/refund/');
      await page.keyboard.press('Enter');
      await dialog.getByText('No connection to the server.').waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'refund', exact: true }).waitFor();
      expect(await page.getByRole('cell', { name: 'refund', exact: true }).count()).toBe(1);

      await fillIn('');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'refund', exact: true }).nth(1).waitFor();
      expect(await balance()).toBe(10);
      // Nothing is left to refund.
      await button.waitFor({ state: 'detached' });
      expect(problems.filter((one) => !/status of 422/.test(one))).toEqual([]);
    });
  });

  test('is not offered to people who may not change the user', async () => {
    await using gateway = await openGateway(dialect);
    const address = gateway.listen();
    const boss = await gateway.addUser({ login: 'boss', isAdmin: true, credit: 10 });
    const operator = await gateway.addUser({ isOperator: true });
    await send(gateway, boss.token, { room_id: await gateway.room(boss.token), message: 'Hi' });
    await withPage(async (page) => {
      await logIn(page, address, operator.login);
      await page.goto(`${address}/app/admin/users/boss`);
      await page.getByRole('cell', { name: 'charge', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /Refund/ }).count()).toBe(0);
    });
  });

  test('after an incident: the sum is shown first, then refunded, and nothing twice', async () => {
    await using gateway = await openGateway(dialect);
    const address = gateway.listen();
    const boss = await gateway.addUser({ isOperator: true });
    const alice = await gateway.addUser({ login: 'alice', credit: 10 });
    const room = await gateway.room(alice.token);
    for (const message of ['Hi', 'Again'])
      await send(gateway, alice.token, { room_id: room, message });
    const balance = async () => (await gateway.core.ledger.account(alice.userId)).balance;
    await withPage(async (page) => {
      const problems = watched(page);
      await logIn(page, address, boss.login);
      await page.goto(`${address}/app/admin/refunds`);
      await page.getByLabel('Number of the model').fill('1');
      await page.getByLabel('From').focus();
      // The browser itself shows the versions of the model.
      const version = gateway.core.catalogue.get(1)?.versionId;
      await page.locator(`#versions option[value="${version}"]`).waitFor({ state: 'attached' });
      expect(await page.getByLabel('Number of the version').getAttribute('list')).toBe('versions');
      await page.getByLabel('From').fill('2020-01-01T00:00:01');
      await page.getByLabel('Before').fill('2100-01-01T00:00:01');
      await page.getByLabel('Reason').fill('wrong price');
      await page.getByRole('button', { name: 'Show the sum' }).click();
      const give = page.getByRole('button', { name: /^Refund ₽/ });
      await give.waitFor();
      await page.getByText('The period is not over').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await balance()).toBeLessThan(10_000_000);
      // Another percentage must be shown first.
      await page.getByLabel('Percent of each charge').fill('100.0');
      await give.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show the sum' }).click();
      await give.click();
      await page.getByText('for 2 messages.').waitFor();
      await give.waitFor({ state: 'detached' });
      expect(await balance()).toBe(10_000_000);
      expect(problems).toEqual([]);
    });
  });
});
