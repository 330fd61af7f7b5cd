/** What tests do with a page in a browser. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../support/gateway.ts';

const axe = await Bun.file(
  join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'),
).text();

/** Everything that the browser complains of: errors of scripts, of the console, and breaches of the policy. */
export function watched(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  return problems;
}

/** Logs in on the page's own login screen, unless the session is there already. */
export async function logIn(page: Page, address: string, login: string): Promise<void> {
  await page.goto(`${address}/app/`);
  await page.locator('h1').waitFor();
  if ((await page.locator('[name=login]').count()) === 0) return;
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('header.top').waitFor();
}

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/** What axe finds, by rule and element. Its script comes from outside the page, where the policy does not apply. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const result = (await page.evaluate('axe.run()')) as AxeResult;
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
