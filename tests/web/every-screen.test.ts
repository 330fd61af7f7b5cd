/** Every screen in every state, theme and language: axe finds nothing, the browser reports nothing, it fits a phone. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Request } from 'playwright-core';
import { screensOf, type Screen } from '../../scripts/screenshots/screens.ts';
import { go, isCall, openIn, states } from '../../scripts/screenshots/states.ts';
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
 * All rules. Those of colours, which take most of the time, run in both themes of one language only, as the other has
 * the same colours.
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
      const isPost = isCall(world.address);
      for (const state of states) {
        const { answer } = state;
        if (answer) await page.route(isPost, answer);
        for (const screen of screens) {
          const { name, prepare } = screen;
          if (answer && prepare) continue;
          await openIn(page, state, screen);
          await prepare?.(page);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          // States that replace the content of a screen are the same on all: one screen is read in the second language.
          const isKnown = language !== 'en' && answer && screen !== screens[0];
          const axe = isKnown ? [] : await finds(page, language);
          const found = { state: state.name, name, width, axe };
          expect(found).toEqual({ state: state.name, name, width: 360, axe: [] });
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
