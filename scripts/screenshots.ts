/**
 * Takes pictures of every screen of the web page, of a fresh server filled with example data.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { stopChromium, withPage } from '../tests/support/chromium.ts';
import { logIn } from '../tests/web/support/browser.ts';
import { readWords, refuse } from './read-words.ts';
import { openSmallWorld, type SmallWorld } from './screenshots/small-world.ts';
import { screensOf, type Screen } from './screenshots/screens.ts';
import { choose, type Look } from './screenshots/look.ts';
import { takeStates } from './screenshots/take-states.ts';

const languages = ['en', 'ru'] as const;
const themes = ['light', 'dark'] as const;
/** CSS pixels: a laptop, and the narrowest phone. */
const widths = [1280, 360] as const;

/** The pictures of README.md and docs/web.md, by the names of their screens. */
const pictured = new Set(['chat', 'spend', 'trust-report', 'admin']);
const images = resolve(import.meta.dir, '../docs/images');
const PICTURE_BYTES_MAX = 120_000;
const QUALITY = 80;

const USAGE = `npm run screenshots -- FOLDER [NAME…] [--states]
  NAME      of a screen; without one, all screens, and the pictures of docs/images as well
  --states  what screens show while they load, when calls fail, and on a server that has nothing yet`;
const { values, positionals } = readWords(USAGE, { states: { type: 'boolean' } });
const [folder, ...names] = positionals;
if (folder === undefined) refuse(USAGE, 'name the folder for the pictures');
await mkdir(folder, { recursive: true });
await mkdir(images, { recursive: true });

await using world = await openSmallWorld();
const screens = screensOf(world).filter(({ name }) => names.length === 0 || names.includes(name));
if (values.states) await takeStates(world, screens, folder);
else {
  for (const language of languages) {
    for (const theme of themes) {
      for (const width of widths) await take(world, screens, { language, theme, width });
    }
  }
}
await stopChromium();

async function take({ address, login }: SmallWorld, all: readonly Screen[], look: Look) {
  const { language, theme, width } = look;
  await withPage(async (page) => {
    await choose(page, look);
    for (const screen of all.filter(({ isOpen }) => isOpen)) await shoot(page, screen);
    await logIn(page, address, login);
    for (const screen of all.filter(({ isOpen }) => !isOpen)) await shoot(page, screen);
  });

  async function shoot(page: Page, { name, path, ready, prepare, fullPage = true }: Screen) {
    await page.goto(address + path);
    await page.locator(ready).first().waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    const file = join(folder ?? '', `${name}-${language}-${theme}-${width}.png`);
    await page.screenshot({ path: file, fullPage });
    const isPictured = pictured.has(name) && language === 'en' && theme === 'light';
    if (isPictured && width === widths[0] && names.length === 0) await picture(page, name);
  }
}

/** One picture for the documents: what is visible without scrolling. */
async function picture(page: Page, name: string): Promise<void> {
  const bytes = await page.screenshot({ type: 'webp', quality: QUALITY });
  if (bytes.length > PICTURE_BYTES_MAX) {
    throw new Error(`the picture of ${name} has ${bytes.length} bytes, above ${PICTURE_BYTES_MAX}`);
  }
  await Bun.write(join(images, `${name}.webp`), bytes);
}
