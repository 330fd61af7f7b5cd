import type { Page } from 'playwright-core';
import { stopChromium, withPage } from '../tests/support/chromium.ts';
import { openGateway } from '../tests/support/gateway.ts';
import { logIn } from '../tests/web/support/browser.ts';
import { fillRoom } from '../tests/web/support/full-room.ts';
import type { Measure } from './support/measure.ts';
import { grouped, medianOf, quantileOf } from './support/numbers.ts';

const RUNS = 5;
const MESSAGES = 10_000;
const MODEL = 101;
const PIECES = 1_000;
const PIECES_A_SECOND = 200;
const KEYS = 40;
const SCROLLS = 60;

/** The page in Chromium: how soon it is there, a long room, and a fast stream. */
export const webPage: Measure = {
  name: 'web',
  run: async ({ progress }) => {
    using provider = pacedProvider();
    await using gateway = await openGateway('sqlite', { catalogue: catalogueOf(provider.url) });
    const address = gateway.listen();
    const user = await gateway.addUser({ credit: 1_000_000 });
    const room = await gateway.room(user.token);
    await gateway.data('/ai/send/', { room_id: room, ai: MODEL, message: 'one' }, user);
    await fillRoom(gateway, { userId: user.userId, room }, MESSAGES);
    const runs: Map<string, number[]>[] = [];
    for (let run = 1; run <= RUNS; run++) {
      progress(`run ${run} of ${RUNS}`);
      runs.push(await withPage((page) => measure(page, { address, login: user.login, room })));
    }
    await stopChromium();
    const names = [...(runs[0]?.keys() ?? [])];
    return {
      name: 'Web',
      title: `the page in Chromium, a room of ${grouped(MESSAGES)} messages`,
      columns: ['what', 'median ms', 'p95 ms'],
      rows: names.map((name) => {
        const all = runs.flatMap((one) => one.get(name) ?? []);
        return [name, medianOf(all).toFixed(1), quantileOf(all, 0.95).toFixed(1)];
      }),
      notes: [
        `${RUNS} runs, each in a fresh browser context, over loopback; browser and server share the cores.`,
        `The stream has ${PIECES_A_SECOND} pieces a second. A frame is from one drawn picture to the next, 16.7 ms when nothing is late.`,
        'There is no peer: no other chat page was run here.',
      ],
    };
  },
};

async function measure(page: Page, of: { address: string; login: string; room: string }) {
  const found = new Map<string, number[]>();
  await logIn(page, of.address, of.login);
  await page.goto(`${of.address}/app/chat`);
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.waitFor();
  found.set('ready to type', [await page.evaluate<number>('performance.now()')]);
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;
  found.set('first paint', [await page.evaluate<number>(paint)]);
  await page.goto(`${of.address}/app/chat/${of.room}`);
  await page.getByText(`request ${MESSAGES}`, { exact: true }).waitFor();
  found.set('long room: open', [await page.evaluate<number>('performance.now()')]);
  found.set('long room: frame while scrolling', await page.evaluate<number[]>(scrolling));
  found.set('long room: key to picture', await page.evaluate<number[]>(typing));
  await page.getByLabel('Model').selectOption(String(MODEL));
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

const scrolling = `new Promise((done) => {
  const list = document.querySelector('.messages'), times = []; let last;
  const tick = (now) => { if (last) times.push(now - last); last = now;
    if (times.length === ${SCROLLS}) return done(times);
    list.scrollTop -= 200; requestAnimationFrame(tick); };
  requestAnimationFrame(tick); })`;

const typing = `(async () => {
  const box = document.querySelector('textarea'), times = [];
  for (let key = 0; key < ${KEYS}; key++) {
    const start = performance.now();
    box.value += 'a'; box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times; })()`;

const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

async function* pieces() {
  const start = performance.now();
  for (let piece = 1; piece <= PIECES; piece++) {
    const wait = start + (piece * 1_000) / PIECES_A_SECOND - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    yield chunk({ content: ` piece${piece}.` }, null);
  }
  yield `${chunk({}, 'stop')}data: [DONE]\n\n`;
}

/** A model that says its pieces at an even pace if it is asked for a stream. */
function pacedProvider(): Disposable & { url: string } {
  const message = { role: 'assistant', content: 'one' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { stream } = (await request.json()) as { stream?: boolean };
      return stream
        ? new Response(pieces, { headers: { 'content-type': 'text/event-stream' } })
        : Response.json({
            id: 'a',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage,
          });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function catalogueOf(base_url: string): string {
  const model = {
    id: MODEL,
    provider: 'paced',
    model: 'paced',
    description: 'Paced',
    type: 'TEXT',
  };
  const limits = { max_input_tokens: 100_000, max_output_tokens: 10_000 };
  const price = { cost_input_tokens_rub: 1, cost_output_tokens_rub: 1 };
  return JSON.stringify({
    providers: { paced: { kind: 'openai', base_url, api_key: 'none' } },
    models: [{ ...model, ...limits, ...price, is_chat_mode_allowed: 1 }],
  });
}
