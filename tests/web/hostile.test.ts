/** 300 hostile texts through the places that show text: no script, no request elsewhere, no broken layout on a phone. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { runSendBatch } from '../../src/chat/commit/send-commit.ts';
import { withPage } from '../support/chromium.ts';
import { steadyToday } from '../support/clock.ts';
import { openGateway, type Gateway, type TestUser } from '../support/gateway.ts';
import { holdOf, settleOf } from '../support/send-commands.ts';
import { logIn, watched } from './support/browser.ts';
import { hostileTexts, hugeTexts } from './support/hostile-texts.ts';

/** The number of messages that the page shows at a time. */
const ROOM = 50;
const TITLE_CHARS = 200;
const CREDIT = 1_000;
const MODELS_FROM = 1_000;

const NAME_CHARS = 200;

/** The name of a model has one line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, NAME_CHARS);

/** A catalogue of models with these names. */
function catalogueFrom(id: number): string {
  const models = hostileTexts.map((text, index) => ({
    id: id + index,
    provider: 'sandbox',
    model: oneLine(text),
    description: text.slice(0, NAME_CHARS),
    type: 'TEXT',
    max_input_tokens: 1000,
    max_output_tokens: 100,
  }));
  return JSON.stringify({ models });
}

let gateway: Gateway;
let address: string;
let boss: TestUser;

beforeAll(async () => {
  gateway = await openGateway('sqlite', { catalogue: catalogueFrom(MODELS_FROM) });
  address = gateway.listen();
  boss = await gateway.addUser({ isAdmin: true, credit: CREDIT });
});
afterAll(() => gateway[Symbol.asyncDispose]());

/**
 * Messages with these texts as questions and as answers, booked as a send books them.
 * @returns their room
 */
async function roomOf(texts: readonly string[]): Promise<string> {
  const { db } = gateway.core;
  const of = { userId: boss.userId, room: await gateway.room(boss.token) };
  for (const text of texts) {
    await db.transaction(async (tx) => {
      const [held] = await runSendBatch(tx, [holdOf(of, { request: text })]);
      if (held?.kind !== 'held') throw new Error(`not held: ${held?.kind}`);
      const more = { request: text, response: text, hold: held.hold };
      await runSendBatch(tx, [settleOf(of, held.messageId, more)]);
    });
  }
  return of.room;
}

/**
 * Opens a page on a phone where the admin is logged in, passes it to `use`, then checks the problems that the browser
 * saw.
 */
async function withPhone(use: (page: Page) => Promise<void>): Promise<void> {
  await withPage(async (page) => {
    const problems = watched(page);
    const elsewhere: string[] = [];
    page.on('request', (one) => one.url().startsWith(`${address}/`) || elsewhere.push(one.url()));
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    await page.setViewportSize({ width: 360, height: 640 });
    await logIn(page, address, boss.login);
    await use(page);
    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
  });
}

/** The page is unchanged: nothing ran, and no text became an element that loads or acts. */
async function isHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(`({
    hacked: window.hacked,
    width: document.documentElement.scrollWidth,
    elements: [...document.querySelectorAll(
      'body script, body style, img[src], iframe, object, embed, video, base, body link, body meta, ' +
      'form[action], use, image, [onload], [onerror], [onfocus], [ontoggle]',
    )].map((one) => one.outerHTML.slice(0, 200)),
    links: [...document.querySelectorAll('a[href]')].map((one) => one.protocol)
      .filter((protocol) => !['http:', 'https:', 'mailto:', 'blob:'].includes(protocol)),
  })`);
  expect({ where, found }).toEqual({
    where,
    found: { hacked: undefined, width: 360, elements: [], links: [] },
  });
}

test('as messages and answers', async () => {
  const rooms: string[] = [];
  for (let at = 0; at < hostileTexts.length; at += ROOM) {
    rooms.push(await roomOf(hostileTexts.slice(at, at + ROOM)));
  }
  await withPhone(async (page) => {
    for (const [index, room] of rooms.entries()) {
      await page.goto(`${address}/app/chat/${room}`);
      await page
        .locator('article')
        .nth(ROOM - 1)
        .waitFor();
      await isHarmless(page, `room ${index}`);
    }
  });
});

test('as messages and answers of hostile sizes', async () => {
  for (const [index, text] of hugeTexts.entries()) {
    const room = await roomOf([text]);
    await withPhone(async (page) => {
      await page.goto(`${address}/app/chat/${room}`);
      await page.locator('article').waitFor();
      await isHarmless(page, `huge text ${index}`);
    });
  }
});

test('as names of rooms', async () => {
  const user = await gateway.addUser({ isAdmin: true });
  for (const text of hostileTexts) {
    const room_id = await gateway.room(user.token);
    const title = text.trim().slice(0, TITLE_CHARS);
    await gateway.data('/ai/room/rename/', { room_id, title }, user);
  }
  await withPage(async (page) => {
    const problems = watched(page);
    const elsewhere: string[] = [];
    page.on('request', (one) => one.url().startsWith(`${address}/`) || elsewhere.push(one.url()));
    await page.setViewportSize({ width: 360, height: 640 });
    await logIn(page, address, user.login);
    const rooms = page.locator('nav.rooms');
    for (const shown of [100, 200, 300]) {
      await rooms
        .locator('li')
        .nth(shown - 1)
        .waitFor({ state: 'attached' });
      if (shown < 300) await rooms.locator('button').last().dispatchEvent('click');
    }
    await isHarmless(page, 'names of rooms');
    expect({ elsewhere, problems }).toEqual({ elsewhere: [], problems: [] });
  });
});

test('as names of models', async () => {
  await withPhone(async (page) => {
    await page.goto(`${address}/app/admin/models`);
    await page.getByRole('row').nth(hostileTexts.length).waitFor();
    await isHarmless(page, 'models');
    for (const index of hostileTexts.keys()) {
      if (index % ROOM > 2) continue;
      await page.goto(`${address}/app/admin/models/${MODELS_FROM + index}`);
      await page.getByRole('region').first().waitFor();
      await isHarmless(page, `model ${index}`);
    }
  });
});

test('as logins, reasons and names of keys', async () => {
  const { ledger, keys } = gateway.core;
  for (const [index, text] of hostileTexts.entries()) {
    // Such logins can't be made; a page must not rely on it.
    await gateway.addUser({ login: `${oneLine(text)} ${index}` });
    await ledger.credit(boss.userId, 1, { reason: text, madeBy: text });
  }
  const named = (text: string) => text.replace(/\p{Cc}/gu, ' ').slice(0, 100);
  for (const text of hostileTexts.slice(0, 90)) {
    await keys.create(boss.userId, { name: named(text) });
  }
  await withPhone(async (page) => {
    for (let offset = 0; offset < hostileTexts.length; offset += ROOM) {
      await page.goto(`${address}/app/admin/users?offset=${offset}`);
      await page.getByRole('row').nth(ROOM).waitFor();
      await isHarmless(page, `users from ${offset}`);
    }
    await page.goto(`${address}/app/spend/transactions`);
    for (const shown of [100, 200, 300]) {
      await page
        .locator('tbody tr')
        .nth(shown - 1)
        .waitFor();
      if (shown < 300) await page.locator('main > button, main button').last().click();
    }
    await isHarmless(page, 'transactions');
    await page.goto(`${address}/app/account/keys`);
    await page
      .getByText(named(hostileTexts[0] ?? ''))
      .first()
      .waitFor();
    await isHarmless(page, 'account');
  });
});

test('in the lines of a CSV file and of a YAML file', async () => {
  const today = await steadyToday();
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = hostileTexts.map((text) => `${quoted(text)},${today},${quoted(text)},1,2`);
  const csv = ['id,date,model,prompt_tokens,completion_tokens', ...lines].join('\n');
  await withPhone(async (page) => {
    await page.goto(`${address}/app/admin/reconcile`);
    await page.getByLabel('Usage export, CSV').setInputFiles({
      name: 'usage.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Compared by the ids of answers' }).waitFor();
    await isHarmless(page, 'an export');
    await page.goto(`${address}/app/admin/models`);
    await page.getByLabel('The file, as YAML').fill(catalogueFrom(5_000));
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByRole('rowheader', { name: 'model 5000' }).waitFor();
    await isHarmless(page, 'differences of a catalogue');
  });
});
