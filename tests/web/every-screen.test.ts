/** Every screen in every state, theme and language: axe finds nothing, the browser complains of nothing, a phone is wide enough. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Request, Route } from 'playwright-core';
import { screensOf, type Screen } from '../../scripts/screenshots/screens.ts';
import { openSmallWorld, type SmallWorld } from '../../scripts/screenshots/small-world.ts';
import { withPage } from '../support/chromium.ts';
import { axeFinds, loadAxe, logIn, watched } from './support/browser.ts';

let world: SmallWorld;
let screens: Screen[];
let ofVisitors: Screen[];

beforeAll(async () => {
  world = await openSmallWorld(2);
  const all = screensOf(world);
  ofVisitors = all.filter(({ isOpen }) => isOpen);
  screens = all.filter(({ isOpen, path }) => !isOpen && path.startsWith('/app/'));
});
afterAll(() => world[Symbol.asyncDispose]());

const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    json: { status: 'error', error: { code, message: 'made by the test' }, request_id: 'r-1' },
  });

/** What becomes of the calls of a screen, and what it shows then. */
const states: readonly {
  name: string;
  answer?: (route: Route) => unknown;
  shows: string;
  /** Screens that ask the server for nothing when they open, or show what they have meanwhile. */
  except?: readonly string[];
}[] = [
  // A call that is not answered ends with the page.
  { name: 'loading', answer: () => undefined, shows: '.skeleton', except: ['chat-new'] },
  { name: 'failed', answer: refuse(500, 'internal_error'), shows: '.problem' },
  { name: 'offline', answer: (route) => route.abort(), shows: '.banner ~ main .problem' },
  { name: 'filled', shows: '' },
  { name: 'logged out', answer: refuse(401, 'token_expired'), shows: 'dialog[open]' },
];
const asksNothing = ['trust', 'trust-list', 'admin-reconcile', 'admin-refunds'];

/** Goes there as a link of the page does. */
const go = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );

/** @returns a wait until the page has sent its calls, has their answers, and shows them */
function callsOf(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (one) => one.method() === 'POST' && open.add(one));
  page.on('requestfinished', (one) => open.delete(one));
  const painted = () =>
    page.evaluate('new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))');
  return async () => {
    await painted();
    while (open.size > 0) await page.waitForEvent('requestfinished');
    await painted();
  };
}

/**
 * All rules; those of colours, which take most of the time, in both themes of one language: colours are the same in the
 * other.
 */
async function finds(page: Page, language: string): Promise<string[]> {
  if (language !== 'en') return axeFinds(page, { rules: { 'color-contrast': { enabled: false } } });
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
  const light = await axeFinds(page);
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
  return [...light, ...(await axeFinds(page, { runOnly: ['color-contrast'] }))];
}

describe.each(['en', 'ru'])('every screen: %s', (language) => {
  test('is accessible in every state and theme, and fits a phone', async () => {
    await withPage(async (page) => {
      const problems = watched(page);
      await page.setViewportSize({ width: 360, height: 640 });
      await page.addInitScript(`localStorage.setItem('zastava-language', '${language}')`);
      for (const { name, path, ready } of ofVisitors) {
        await page.goto(`${world.address}${path}`);
        await page.locator(ready).waitFor();
        await loadAxe(page);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect({ name, width, axe: await finds(page, language) }).toEqual({
          name,
          width: 360,
          axe: [],
        });
      }
      await logIn(page, world.address, world.login);
      await loadAxe(page);
      for (const { name: state, answer, shows, except = [] } of states) {
        const isPost = (url: URL) =>
          url.origin === world.address && !url.pathname.startsWith('/app/');
        if (answer) await page.route(isPost, answer);
        for (const { name, path, ready, prepare } of screens) {
          if (answer && prepare) continue;
          await go(page, path);
          await page.locator('h1').first().waitFor();
          const isStill = asksNothing.includes(name) || except.includes(name);
          if (!answer) await page.locator(ready).first().waitFor();
          else if (!isStill) await page.locator(shows).first().waitFor();
          await prepare?.(page);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          const found = { state, name, width, axe: await finds(page, language) };
          expect(found).toEqual({ state, name, width: 360, axe: [] });
          if (prepare) await page.keyboard.press('Escape');
        }
        await page.unroute(isPost);
      }
      const own = problems.filter((one) => !one.startsWith('Failed to load resource'));
      expect(own).toEqual([]);
    });
  });

  test('is accessible to a user who has nothing yet', async () => {
    const ofUsers = screens.filter(({ name, prepare }) => !prepare && !/^(chat-|admin)/.test(name));
    await withPage(async (page) => {
      const problems = watched(page);
      await page.addInitScript(`localStorage.setItem('zastava-language', '${language}')`);
      await logIn(page, world.address, world.newcomer);
      await loadAxe(page);
      const answered = callsOf(page);
      for (const { name, path } of ofUsers) {
        await go(page, path);
        await page.locator('h1').first().waitFor();
        await answered();
        expect({ name, axe: await finds(page, language) }).toEqual({ name, axe: [] });
      }
      expect(problems).toEqual([]);
    });
  });
});
