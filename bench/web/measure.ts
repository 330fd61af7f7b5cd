import type { Page } from 'playwright-core';
import { stopChromium, withPage } from '../../tests/support/chromium.ts';
import { requestOf } from '../../tests/web/support/full-room.ts';
import type { Measure } from '../support/measure.ts';
import { grouped, medianOf, quantileOf } from '../support/numbers.ts';
import { type ChatPage, MESSAGES } from './chat-page.ts';
import { OPEN_WEBUI, openWebui } from './open-webui.ts';
import { pacedProvider, PIECES, PIECES_A_SECOND } from './paced-provider.ts';
import { zastavaPage } from './zastava-page.ts';

const RUNS = 3;
const KEYS = 40;
const SCROLLS = 60;

/** Milliseconds by what was measured. */
type Found = Map<string, number[]>;

/** The page in Chromium, and Open WebUI: how soon it is there, a long room, and a fast stream. */
export const webPage: Measure = {
  name: 'web',
  run: async ({ progress }) => {
    using provider = pacedProvider();
    progress('starts Open WebUI');
    const peer = await openWebui(provider.url);
    const absent = typeof peer === 'string' ? [`Open WebUI is not in the table: ${peer}.`] : [];
    await using stack = new AsyncDisposableStack();
    const pages = [stack.use(await zastavaPage(provider.url))];
    if (typeof peer !== 'string') pages.push(stack.use(peer));
    const found = pages.map((): Found[] => []);
    for (let run = 1; run <= RUNS; run++) {
      for (const [at, page] of pages.entries()) {
        progress(`run ${run} of ${RUNS}: ${page.name}`);
        found[at]?.push(await withPage((tab) => measure(tab, page), { locale: 'en-US' }));
      }
    }
    await stopChromium();
    const names = [...(found[0]?.[0]?.keys() ?? [])];
    return {
      name: 'Web',
      title: `the page in Chromium, a room of ${grouped(MESSAGES)} messages`,
      columns: ['ms', ...pages.flatMap(({ name }) => [`${name}, median`, `${name}, p95`])],
      rows: names.map((name) => [name, ...found.flatMap((runs) => cells(runs, name))]),
      notes: [
        `${RUNS} runs of each in turn, each in a fresh browser context, over loopback; browser and servers share the cores.`,
        `The stream has ${PIECES_A_SECOND} pieces a second. A frame is from one drawn picture to the next, 16.7 ms when nothing is late.`,
        'A message is a request with its answer. The stream is the first answer of a new room. Both pages show the newest ones first, and load earlier ones as one scrolls.',
        `Open WebUI is ${OPEN_WEBUI}, without the packages that search documents and hear speech.`,
        ...absent,
      ],
    };
  },
};

function cells(runs: readonly Found[], name: string): [median: string, p95: string] {
  const all = runs.flatMap((one) => one.get(name) ?? []);
  return [medianOf(all).toFixed(1), quantileOf(all, 0.95).toFixed(1)];
}

async function measure(page: Page, chat: ChatPage): Promise<Found> {
  const found: Found = new Map();
  const box = chat.box(page);
  await chat.logIn(page);
  await page.goto(chat.empty);
  await box.waitFor();
  found.set('ready to type', [await page.evaluate<number>('performance.now()')]);
  found.set('first paint', [await page.evaluate<number>(firstPaint)]);
  await page.goto(chat.room);
  await page.getByText(requestOf(MESSAGES), { exact: true }).waitFor();
  found.set('long room: open', [await page.evaluate<number>('performance.now()')]);
  found.set('long room: frame while scrolling', await page.evaluate<number[]>(scrolling(chat)));
  await box.click();
  found.set('long room: key to picture', await page.evaluate<number[]>(typing));
  await page.goto(chat.empty);
  await box.waitFor();
  await chat.choose?.(page);
  await box.fill('stream');
  await page.evaluate(
    `window.frames_ = []; { let last = performance.now(); const tick = (now) => {
      window.frames_.push(now - last); last = now; requestAnimationFrame(tick); };
      requestAnimationFrame(tick); }`,
  );
  await box.press('Enter');
  await page.getByText(`piece${PIECES}.`).last().waitFor();
  found.set('stream: frame', await page.evaluate<number[]>('window.frames_.slice(1)'));
  return found;
}

const scrolling = ({ scroller }: ChatPage) => `new Promise((done) => {
  const list = document.querySelector('${scroller}'), times = []; let last;
  const tick = (now) => { if (last) times.push(now - last); last = now;
    if (times.length === ${SCROLLS}) return done(times);
    list.scrollTop -= 200; requestAnimationFrame(tick); };
  requestAnimationFrame(tick); })`;

/** The browser reports a paint afterwards. A fast page may be ready to type before that report. */
const firstPaint = `new Promise((done) => new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName('first-contentful-paint');
  if (paint) done(paint.startTime); }).observe({ type: 'paint', buffered: true }))`;

/** Types into the focused element, as a key does: a field, or a text that can be edited. */
const typing = `(async () => {
  const times = [];
  for (let key = 0; key < ${KEYS}; key++) {
    const start = performance.now();
    document.execCommand('insertText', false, 'a');
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times; })()`;
