import type { Page, Route } from 'playwright-core';
import type { Screen } from './screens.ts';

/** What happens to the calls of a screen, and what it then shows. */
interface State {
  name: string;
  /** Undefined: the server answers. A call without an answer ends with the page. */
  answer?: (route: Route) => unknown;
  shows: string;
  /** Screens that request nothing when they open, or show other content meanwhile. */
  except?: readonly string[];
}

const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    json: { status: 'error', error: { code, message: 'made on purpose' }, request_id: 'r-1' },
  });

export const states: readonly State[] = [
  { name: 'loading', answer: () => undefined, shows: '.skeleton', except: ['chat-new'] },
  { name: 'failed', answer: refuse(500, 'internal_error'), shows: '.problem' },
  { name: 'offline', answer: (route) => route.abort(), shows: '.banner ~ main .problem' },
  { name: 'filled', shows: '' },
  { name: 'logged-out', answer: refuse(401, 'token_expired'), shows: 'dialog[open]' },
];

const asksNothing = ['trust', 'trust-list', 'admin-reconcile', 'admin-refunds'];

/** Opens a screen in this state; the page already routes its calls. */
export async function openIn(
  page: Page,
  { answer, shows, except = [] }: State,
  { name, path, ready }: Screen,
): Promise<void> {
  await go(page, path);
  await page.locator('h1').first().waitFor();
  if (!answer) await page.locator(ready).first().waitFor();
  else if (!asksNothing.includes(name) && !except.includes(name)) {
    await page.locator(shows).first().waitFor();
  }
}

/** Whether a URL is that of a call, as opposed to the page's files. */
export const isCall = (address: string) => (url: URL) =>
  url.origin === address && !url.pathname.startsWith('/app/');

/** Opens a route as a link of the page would. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
