/** Pictures of what screens show if they can't show their content. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openGateway } from '../../tests/support/gateway.ts';
import { withPage } from '../../tests/support/chromium.ts';
import { logIn } from '../../tests/web/support/browser.ts';
import { choose, type Look } from './look.ts';
import type { Screen } from './screens.ts';
import type { SmallWorld } from './small-world.ts';
import { go, isCall, openIn, states } from './states.ts';

/** Each language, theme and width once. */
const looks: readonly Look[] = [
  { language: 'en', theme: 'light', width: 1280 },
  { language: 'ru', theme: 'dark', width: 360 },
];

export async function takeStates(
  { address, login }: SmallWorld,
  all: readonly Screen[],
  folder: string,
): Promise<void> {
  const screens = all.filter(
    ({ isOpen, path, prepare }) => !isOpen && !prepare && path.startsWith('/app/'),
  );
  for (const look of looks) {
    const shoot = (page: Page, state: string, { name, fullPage = true }: Screen) =>
      page.screenshot({
        path: join(folder, `${state}-${name}-${look.language}-${look.theme}-${look.width}.png`),
        fullPage,
      });
    await withPage(async (page) => {
      await choose(page, look);
      await logIn(page, address, login);
      for (const state of states) {
        if (!state.answer) continue;
        await page.route(isCall(address), state.answer);
        for (const screen of screens) {
          await openIn(page, state, screen);
          await shoot(page, state.name, screen);
        }
        await page.unroute(isCall(address));
      }
    });
    await withPage(async (page) => {
      await choose(page, look);
      await logIn(page, address, login);
      // Simulates that its files were replaced by those of a new version.
      await page.route(`${address}/app/assets/**`, (route) => route.fulfill({ status: 404 }));
      for (const screen of screens.filter(({ path }) => !path.startsWith('/app/chat'))) {
        await go(page, screen.path);
        await page.locator('.problem').waitFor();
        await shoot(page, 'new-version', screen);
      }
    });
    await withPage((page) => takeEmpty(page, look, screens, shoot));
  }
}

/** A server that was just started. */
async function takeEmpty(
  page: Page,
  look: Look,
  screens: readonly Screen[],
  shoot: (page: Page, state: string, screen: Screen) => Promise<unknown>,
): Promise<void> {
  await using gateway = await openGateway('sqlite');
  const { login } = await gateway.addUser({ login: 'olga', isAdmin: true });
  const address = gateway.listen();
  await choose(page, look);
  await logIn(page, address, login);
  for (const screen of screens) {
    await page.goto(address + screen.path);
    await page.locator('main h1, main .problem').first().waitFor();
    await page.waitForLoadState('networkidle');
    await shoot(page, 'empty', screen);
  }
}
