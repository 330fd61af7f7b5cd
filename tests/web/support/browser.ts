/** Helpers for tests that use a page in a browser. */
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../../support/gateway.ts';

const axe = await Bun.file(
  join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'),
).text();

/** Everything that the browser reports: errors of scripts and of the console, and violations of the policy. */
export function watched(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // An error does not itself say which request was refused.
    problems.push(`${message.text()} (${message.location().url})`);
  });
  return problems;
}

/** Logs in on the page's own login screen, unless there is a session already. */
export async function logIn(page: Page, address: string, login: string): Promise<void> {
  await page.goto(`${address}/app/`);
  await page.locator('h1').waitFor();
  if ((await page.locator('[name=login]').count()) === 0) return;
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('header.top').waitFor();
}

/** More stops than any screen of a test has. */
const TAB_STOPS_MAX = 80;

/** Presses Tab until an element has the focus, as people without a pointer do. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  for (let stop = 0; stop < TAB_STOPS_MAX; stop++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`the keyboard does not reach ${String(target)}`);
}

/**
 * The page's next request to this path reaches the server, but its response is lost. The page itself drops it: routes of
 * Playwright sometimes wait for ever under Bun.
 */
export async function loseNextResponse(page: Page, path: string): Promise<void> {
  await page.evaluate((lostPath) => {
    const { fetch } = globalThis;
    const losing = async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      if (request[0] !== lostPath) return response;
      Object.assign(globalThis, { fetch });
      throw new TypeError('Failed to fetch');
    };
    Object.assign(globalThis, { fetch: losing });
  }, path);
}

interface AxeViolation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Its script comes from outside the page, where the policy does not apply. It stays until the page is left. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe);
}

/** See https://github.com/dequelabs/axe-core/blob/develop/doc/API.md: by default all rules are run. */
interface AxeOptions {
  runOnly?: readonly string[];
  rules?: Readonly<Record<string, { enabled: boolean }>>;
}

/** The problems that a loaded axe finds, by rule and element. */
export async function axeFinds(page: Page, options: AxeOptions = {}): Promise<string[]> {
  // The rest of the result is large: it takes time to describe and to send.
  const run = `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
  const violated = (await page.evaluate(
    `${run}.then((result) => result.violations)`,
  )) as AxeViolation[];
  return violated.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The problems that axe finds in the current screen. */
export async function violations(page: Page): Promise<string[]> {
  await loadAxe(page);
  return axeFinds(page);
}
