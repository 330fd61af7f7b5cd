/** A real Chromium from the registry's package, headless, for tests of the web page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Unpacking the browser takes a few seconds on the first launch. */
const LAUNCH_TIMEOUT_MS = 200_000;
/** A failed wait must be reported before the runner ends its test. On a busy machine it may take this long. */
const WAIT_TIMEOUT_MS = 200_000;

/**
 * The package's own list is not used: it runs everything in one process, which dies with the first page that is closed,
 * and switches off web security, which the tests need.
 */
const BROWSER_ARGUMENTS = [
  // Chromium's sandbox needs rights that neither root nor containers give it.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // The browser makes no requests of its own.
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface RunningBrowser {
  browser: Browser;
  directory: string;
}

let running: Promise<RunningBrowser> | undefined;

/**
 * Opens a page in a new browser context (no cookies, no storage), passes it to `use`, and closes it afterwards. The
 * browser is started once per process; `stopChromium` ends it.
 */
export async function withPage<T>(
  use: (page: Page) => Promise<T>,
  options?: BrowserContextOptions,
): Promise<T> {
  if (running && !(await running).browser.isConnected()) await stopChromium();
  running ??= launch();
  const { browser } = await running;
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Ends the browser if one was started, and removes its unpacked files. */
export async function stopChromium(): Promise<void> {
  const started = running;
  running = undefined;
  if (!started) return;
  const { browser, directory } = await started;
  await browser.close();
  await rm(directory, { recursive: true, force: true });
}

async function launch(): Promise<RunningBrowser> {
  // The package unpacks into the temporary directory and trusts the files there: give it its own directory.
  const directory = await mkdtemp(join(tmpdir(), 'zastava-chromium-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  try {
    // Loaded here, since most test runs need no browser.
    const { chromium } = await import('playwright-core');
    const { default: packaged } = await import('@sparticuz/chromium');
    const browser = await chromium.launch({
      executablePath: await packaged.executablePath(),
      args: BROWSER_ARGUMENTS,
      headless: true,
      timeout: LAUNCH_TIMEOUT_MS,
    });
    return { browser, directory };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
