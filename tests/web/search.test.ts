/** The search of the page: by its shortcut, in titles and messages, and to the place of a result. */
import { describe, expect, test } from 'bun:test';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openWorld } from '../support/world.ts';
import { logIn, violations, watched } from './support/browser.ts';
import { fillRoom } from './support/full-room.ts';

const HOSTILE = 'Where is the маяк <img src=x onerror=alert(1)> \u202e';

for (const dialect of dialects) {
  describe(`${dialect}: the search`, () => {
    test('opens a long room at an old message, and does not run what it finds', async () => {
      await using world = await openWorld(dialect);
      const at = world.gateway.listen();
      const alice = await world.user();
      await alice.send({ message: 'first' });
      await fillRoom(world.gateway, alice, 1_000);
      await world.gateway.core.db.transaction((tx) =>
        tx.query('UPDATE messages SET request = $1 WHERE user_id = $2 AND id = 100', [
          HOSTILE,
          alice.userId,
        ]),
      );
      const titled = { room_id: alice.room, title: 'Маяки и море' };
      await world.gateway.data('/ai/room/rename/', titled, { token: alice.token });
      await withPage(async (page) => {
        const problems = watched(page);
        await page.setViewportSize({ width: 360, height: 640 });
        await logIn(page, at, alice.login);
        await page.goto(`${at}/app/chat/${alice.room}`);
        await page.getByText('request 1000', { exact: true }).waitFor();
        await page.locator('h1').focus();
        // The key of the slash in a Russian layout; behind it the list of rooms opens.
        await page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
          { code: 'Slash', key: '.', bubbles: true, cancelable: true }))`);
        const field = page.getByRole('searchbox', { name: 'Search titles and messages' });
        await field.waitFor();
        await page.locator('.rooms input:focus').waitFor();
        await page.keyboard.type('маяк');
        const links = page.locator('.rooms li a');
        await links.filter({ hasText: 'Where is the' }).waitFor();
        expect(await page.locator('.rooms mark').allTextContents()).toEqual(['Маяки', 'маяк']);
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        await links.filter({ hasText: 'Where is the' }).click();
        const focused = page.locator('article:focus');
        await focused.filter({ hasText: 'Where is the' }).waitFor();
        // Even after the messages above it have got their heights.
        const top = 'document.querySelector("article:focus").getBoundingClientRect().top';
        await page.waitForFunction(`${top} > 0 && ${top} < 400`);
        expect(await page.locator('article').count()).toBeLessThanOrEqual(300);
        expect(problems).toEqual([]);
      });
    });

    test('shows more pages, that nothing was found, and the rooms again', async () => {
      await using world = await openWorld(dialect);
      const at = world.gateway.listen();
      const alice = await world.user();
      await alice.send({ message: 'first' });
      await fillRoom(world.gateway, alice, 45);
      await withPage(async (page) => {
        const problems = watched(page);
        await logIn(page, at, alice.login);
        const field = page.getByRole('searchbox', { name: 'Search titles and messages' });
        const links = page.locator('.rooms li a');
        await field.fill('response');
        await page.locator('.rooms li:nth-child(20)').waitFor();
        expect(await links.count()).toBe(20);
        const more = page.getByRole('button', { name: 'More results' });
        await more.click();
        await links.nth(39).waitFor();
        await more.click();
        await links.nth(43).waitFor();
        expect(await more.count()).toBe(0);
        await field.fill('nowhere');
        await page.locator('.rooms').getByText('Nothing was found').waitFor();
        await field.fill('?!');
        await page.locator('.rooms').getByText('Nothing was found').waitFor({ state: 'detached' });
        await links.first().waitFor();
        expect(await links.count()).toBe(1);
        expect(problems).toEqual([]);
      });
    });
  });
}
