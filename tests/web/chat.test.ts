/** The chat of the page against scripted answers of a model: costs, failures, long rooms, hostile sizes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { withPage } from '../support/chromium.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, TEXT_MODEL, type Chatter, type World } from '../support/world.ts';
import { logIn, violations, watched } from './support/browser.ts';
import { openCutRelay } from './support/cut-relay.ts';
import { fillRoom } from './support/full-room.ts';

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const send = async (page: Page, text: string) => {
  await box(page).fill(text);
  await box(page).press('Enter');
};
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

let world: World;
let address: string;

beforeAll(async () => {
  // Long enough for texts that the page refuses to format.
  world = await openWorld('sqlite', { models: [{ id: TEXT_MODEL, max_output_tokens: 100_000 }] });
  address = world.gateway.listen();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Opens the user's room, with the scripted model chosen. */
async function openRoom(page: Page, user: Chatter, at = address): Promise<void> {
  await logIn(page, at, user.login);
  await page.goto(`${at}/app/chat/${user.room}`);
  await page.getByLabel('Model').selectOption(String(TEXT_MODEL));
}

for (const dialect of dialects) {
  test(`${dialect}: a room is used, renamed, exported and deleted`, async () => {
    await using own = await openWorld(dialect);
    const at = own.gateway.listen();
    const alice = await own.user();
    await withPage(async (page) => {
      const problems = watched(page);
      await openRoom(page, alice, at);
      await own.provider.script({ text: 'Formula $a^2$ and `code`' });
      await send(page, 'What is it?');
      await page.locator('article math').waitFor();
      await page.getByText(/^Sum of the room: ₽0\.\d+$/).waitFor();
      await button(page, 'This room').click();
      await button(page, 'Rename').click();
      await page.getByLabel('Title of the room').fill('Формулы');
      await button(page, 'Save').click();
      await page.getByRole('heading', { name: 'Формулы' }).waitFor();
      await page.getByRole('link', { name: 'Формулы' }).waitFor();
      const saved = async (name: string) => {
        await button(page, 'This room').click();
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          button(page, name).click(),
        ]);
        return {
          name: file.suggestedFilename(),
          text: await Bun.file(await file.path()).text(),
        };
      };
      const markdown = await saved('Export as Markdown');
      expect(markdown.name).toBe('Формулы.md');
      expect(markdown.text).toContain('What is it?');
      expect(markdown.text).toContain('Formula $a^2$ and `code`');
      const { text } = await saved('Export as JSON');
      expect(JSON.parse(text)).toMatchObject({
        title: 'Формулы',
        messages: [{ request: 'What is it?', state: 'done' }],
      });
      page.once('dialog', (dialog) => void dialog.accept());
      await button(page, 'This room').click();
      await button(page, 'Delete').click();
      await page.getByRole('heading', { name: 'Chat', exact: true }).waitFor();
      expect((await own.gateway.data<{ rooms: [] }>('/ai/rooms/', {}, alice)).rooms).toEqual([]);
      expect(problems).toEqual([]);
    });
  });
}

describe('a message that is not answered', () => {
  test('without enough money says what it needs, and is sent with the affordable cap', async () => {
    const poor = await world.user({ credit: 0.05 });
    await withPage(async (page) => {
      await openRoom(page, poor);
      await world.provider.script('good');
      await send(page, 'Hello');
      await page
        .getByText(/can cost up to ₽\d+\.\d+; ₽0\.05 are available.*Nothing was charged\./)
        .waitFor();
      expect(await violations(page)).toEqual([]);
      await button(page, /^Send with at most \d+ tokens/).click();
      await page.getByText('echo: Hello').waitFor();
      expect(await page.locator('article').count()).toBe(1);
      const [charge] = await poor.charges();
      expect(charge).toBeLessThanOrEqual(50_000);
    });
  });

  test('by a provider that fails is not charged, and can be repeated', async () => {
    const alice = await world.user();
    await withPage(async (page) => {
      await openRoom(page, alice);
      await world.provider.script('400');
      await send(page, 'Hello');
      await page.getByRole('alert').getByText('Nothing was charged.').waitFor();
      expect(await alice.charges()).toEqual([]);
      await world.provider.script('good');
      await button(page, 'Repeat').click();
      await page.getByText('echo: Hello').waitFor();
      expect(await alice.charges()).toHaveLength(1);
    });
  });

  test('for too many requests is sent again after a countdown', async () => {
    const alice = await world.user();
    await world.gateway.core.limits.set(alice.userId, { requestsPerMinute: 1 });
    await withPage(async (page) => {
      await openRoom(page, alice);
      await world.provider.script('good');
      await send(page, 'One');
      await page.getByText('echo: One').waitFor();
      await send(page, 'Two');
      await page.getByText(/Try again in \d+ s\./).waitFor();
      expect(await button(page, 'Repeat').isDisabled()).toBe(true);
      expect(await alice.charges()).toHaveLength(1);
    });
  });

  test('without a connection waits, and what is typed is kept', async () => {
    const alice = await world.user();
    await withPage(async (page) => {
      await openRoom(page, alice);
      await world.provider.script('good');
      await page.context().setOffline(true);
      await page.getByText('No connection. Go on writing').waitFor();
      await box(page).fill('Written offline');
      await box(page).press('Enter');
      await page.getByText('Waits for the connection').waitFor();
      expect(await page.locator('article').count()).toBe(0);
      await page.context().setOffline(false);
      await button(page, 'Send').click();
      await page.getByText('echo: Written offline').waitFor();
    });
  });
});

describe('a long room', () => {
  test('is in the page in part, and the text being read stays in place', async () => {
    const alice = await world.user();
    await world.provider.script('good');
    await alice.send({ message: 'first' });
    await fillRoom(world.gateway, alice, 1_000);
    await withPage(async (page) => {
      const problems = watched(page);
      await openRoom(page, alice);
      await page.getByText('request 1000', { exact: true }).waitFor();
      expect(await page.locator('article').count()).toBe(50);
      const counts: number[] = [];
      const top = 'document.querySelector(".messages").scrollTop';
      while ((await page.getByText('request 500', { exact: true }).count()) === 0) {
        const oldest = await page.locator('article').first().getAttribute('data-key');
        await page.evaluate(`${top} = 0`);
        await page.locator(`article:nth-of-type(1):not([data-key='${oldest}'])`).waitFor();
        counts.push(await page.locator('article').count());
      }
      expect(Math.max(...counts)).toBe(300);
      // The messages that were at the top are still in view, below the added ones.
      expect(await page.evaluate(top)).toBeGreaterThan(5_000);
      const seen = page.getByText('request 500', { exact: true });
      await seen.scrollIntoViewIfNeeded();
      await button(page, /To the newest/).click();
      await page.getByText('request 1000', { exact: true }).waitFor();
      expect(await page.locator('article').count()).toBeLessThanOrEqual(300);
      expect(problems).toEqual([]);
    });
  });

  test('does not move under the reader while an answer grows', async () => {
    const alice = await world.user();
    await world.provider.script({ text: 'line\n\n'.repeat(100) });
    await alice.send();
    await withPage(async (page) => {
      await openRoom(page, alice);
      await world.provider.script({
        deltas: ['begin ', 'word\n\n'.repeat(200)],
        pauseAfterFirst: true,
      });
      await send(page, 'More');
      await page.getByText('begin', { exact: true }).waitFor();
      await page.evaluate('document.querySelector(".messages").scrollTop = 0');
      await button(page, /To the newest/).waitFor();
      world.provider.release();
      await page.getByText(/^Ready, ₽/).waitFor({ state: 'attached' });
      expect(await page.evaluate('document.querySelector(".messages").scrollTop')).toBe(0);
    });
  });
});

describe('an answer', () => {
  const answered = async (page: Page, text: string) => {
    const alice = await world.user();
    await world.provider.script({ text });
    await alice.send();
    await world.provider.script('good');
    await openRoom(page, alice);
  };

  test('has its formulas and the colours of its code, under the policy of the page', async () => {
    await withPage(async (page) => {
      const problems = watched(page);
      const text = [
        'Costs 5 $ or 10 $, $E = mc^2$',
        '$$\\int_0^1 x\\,dx$$',
        '\\(\\href{javascript:alert(1)}{x}\\) \\[\\frac{1\\]',
        '```python\nprint("hi")\n```',
        '```ts\nconst a = 1;\n```',
      ].join('\n\n');
      await answered(page, text);
      await page.locator('article .hljs-string').waitFor();
      await page.locator('article .hljs-keyword').waitFor();
      await page.locator('article math').nth(1).waitFor();
      await page.getByText('Costs 5 $ or 10 $').waitFor();
      // Text that is not TeX stays unchanged.
      await page.getByText('\\frac{1', { exact: true }).waitFor();
      expect(await page.locator('article a').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      expect(problems).toEqual([]);
    });
  });

  test.each([
    ['too long', 'a '.repeat(60_000)],
    ['nested too deep', `${'> '.repeat(300)}deep`],
    [
      'nested too deep in lists',
      Array.from({ length: 30 }, (_, at) => `${'  '.repeat(at)}- item`).join('\n'),
    ],
  ])('that is %s is plain text until one asks for more', async (_, text) => {
    await withPage(async (page) => {
      await answered(page, text);
      await page.locator('article pre.plain').waitFor();
      await button(page, /Show it with its formatting/).click();
      await page.locator('article .markdown').waitFor();
    });
  });
});

describe('an answer continues', () => {
  const paused = async (page: Page) => {
    const alice = await world.user();
    await openRoom(page, alice);
    await world.provider.script({ deltas: ['begin ', 'and end'], pauseAfterFirst: true });
    await send(page, 'A long one');
    await page.getByText('begin', { exact: true }).waitFor();
    return alice;
  };
  const isWholeAndPaidOnce = async (page: Page, alice: Chatter) => {
    await page.getByText('begin and end').waitFor();
    await page.locator('article footer').getByText('₽').waitFor();
    expect(await page.locator('article').count()).toBe(1);
    expect(await alice.charges()).toHaveLength(1);
    expect(await alice.history()).toMatchObject([{ state: 'done', response: 'begin and end' }]);
  };

  test('without the page, and is there after a reload', async () => {
    await withPage(async (page) => {
      const alice = await paused(page);
      await page.reload();
      await page.getByText('begin', { exact: true }).waitFor();
      await button(page, 'Stop').waitFor();
      world.provider.release();
      await isWholeAndPaidOnce(page, alice);
    });
  });

  test('after the tab was closed, and is shown by another', async () => {
    await withPage(async (page) => {
      const alice = await paused(page);
      const other = await page.context().newPage();
      await page.close();
      await other.goto(`${address}/app/chat/${alice.room}`);
      await other.getByText('Still being answered.').waitFor();
      world.provider.release();
      await isWholeAndPaidOnce(other, alice);
    });
  });

  test.each(['before its first word', 'in the middle', 'at its end'])(
    'when the connection breaks %s',
    async (when) => {
      await using relay = await openCutRelay(address);
      await withPage(async (page) => {
        const alice = await world.user();
        await openRoom(page, alice, relay.address);
        const pauseAfterFirst = when !== 'before its first word';
        const deltas = ['begin ', 'and end'];
        await world.provider.script(async () => {
          // The request is on its way; its answer will find no connection.
          if (!pauseAfterFirst) relay.cut();
          return { deltas, pauseAfterFirst };
        });
        await send(page, 'A long one');
        if (pauseAfterFirst) await page.getByText('begin', { exact: true }).waitFor();
        if (when === 'in the middle') relay.cut();
        if (when !== 'at its end') await page.getByText('The connection broke.').waitFor();
        if (when === 'at its end') relay.cut();
        world.provider.release();
        relay.mend();
        await button(page, 'Repeat').click();
        await isWholeAndPaidOnce(page, alice);
      });
    },
  );

  test('until it is stopped: the delivered part is kept and charged', async () => {
    await withPage(async (page) => {
      const alice = await paused(page);
      await button(page, 'Stop').click();
      await page.getByText('Stopped. What came was kept and charged.').waitFor();
      world.provider.release();
      expect(await alice.charges()).toHaveLength(1);
      expect(await alice.history()).toMatchObject([{ state: 'stopped', response: 'begin ' }]);
    });
  });
});

describe('the keyboard shortcuts', () => {
  test('depend on the place of a key: a whole chat in a Russian layout, without a pointer', async () => {
    const alice = await world.user();
    await world.provider.script({ text: 'Answer with code\n\n```\nlast code\n```' });
    await withPage(async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await openRoom(page, alice);
      const copied = async (text: string) => {
        const read = () => page.evaluate('navigator.clipboard.readText()');
        while (!String(await read()).includes(text)) await page.locator('body').waitFor();
      };
      /** A key in a Russian layout sends the same code, but another letter. */
      const press = async (code: string, key: string, modifiers = {}) => {
        const init = JSON.stringify({ code, key, bubbles: true, cancelable: true, ...modifiers });
        await page.evaluate(
          `(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', ${init}))`,
        );
      };
      await box(page).focus();
      await page.keyboard.type('Привет');
      await page.keyboard.press('Enter');
      await page.getByText('last code').waitFor();
      await page.getByText(/^Ready, ₽/).waitFor({ state: 'attached' });
      // In a field, letters are letters.
      await press('KeyJ', 'о');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
      await page.keyboard.press('Shift+Tab');
      await press('KeyJ', 'о');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('ARTICLE');
      await press('KeyY', 'н');
      await copied('Answer with code');
      // The earlier copy contains this text, too, after other words.
      await page.evaluate('navigator.clipboard.writeText("")');
      await press('Semicolon', 'Ж', { ctrlKey: true, shiftKey: true });
      await copied('last code');
      await press('KeyG', 'п');
      await press('KeyS', 'ы');
      await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor();
      await press('Slash', ',', { shiftKey: true });
      const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await list.waitFor();
      expect(await violations(page)).toEqual([]);
      await list.getByRole('checkbox', { name: 'Single keys' }).press('Space');
      await list.getByRole('checkbox', { name: 'Enter begins a line' }).press('Space');
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
      await press('KeyG', 'п');
      await press('KeyC', 'с');
      await press('KeyO', 'щ', { ctrlKey: true, shiftKey: true });
      await page.waitForURL('**/app/spend');
      // Both choices outlive the page.
      await page.goBack();
      await page.reload();
      await page.getByLabel('Model').selectOption(String(TEXT_MODEL));
      await world.provider.script({ text: 'an answer to two lines' });
      await box(page).focus();
      await page.keyboard.type('one');
      await page.keyboard.press('Enter');
      await page.keyboard.type('two');
      expect(await box(page).inputValue()).toBe('one\ntwo');
      await page.keyboard.press('Shift+Enter');
      await page.getByText('an answer to two lines').waitFor();
    });
  });
});

test('a message is sent again and edited: the old version stays, but not in later contexts', async () => {
  const alice = await world.user();
  await withPage(async (page) => {
    await openRoom(page, alice);
    await world.provider.script({ text: 'first answer' });
    await send(page, 'First question');
    await page.getByText('first answer').waitFor();
    await world.provider.script({ text: 'second answer' });
    await button(page, 'Ask again').hover();
    await page.getByTitle(/^at most ₽[\d.]+, likely ₽[\d.]+$/).waitFor();
    await button(page, 'Ask again').click();
    await page.getByText('second answer').waitFor();
    await page.getByText('Left out of later contexts').waitFor();
    await world.provider.script('good');
    await box(page).press('ArrowUp');
    await page.getByLabel('Edit').fill('Edited question');
    await page
      .locator('form.edit')
      .getByText(/^at most ₽[\d.]+, likely ₽[\d.]+$/)
      .waitFor();
    await button(page, 'Send').first().click();
    await page.getByText('echo: Edited question').waitFor();
    expect(await page.locator('article.left-out').count()).toBe(2);
    expect(world.provider.calls.at(-1)?.body['messages']).toEqual([
      { role: 'user', content: 'Edited question' },
    ]);
    expect(await violations(page)).toEqual([]);
    expect(await alice.charges()).toHaveLength(3);
  });
});

test('pictures are chosen, removed and sent, and are there after a reload', async () => {
  await using own = await openWorld('sqlite', {
    models: [{ id: TEXT_MODEL, is_image_input_allowed: 1 }],
  });
  const at = own.gateway.listen();
  const alice = await own.user();
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
  await withPage(async (page) => {
    const problems = watched(page);
    await openRoom(page, alice, at);
    await own.provider.script({ text: 'a gate' });
    await page.locator('input[type=file]').setInputFiles([file, file]);
    await button(page, 'Remove picture 2').click();
    await page.evaluate(`for (const name of ['paste', 'drop']) {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob('${pixel}'), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type: 'image/png' }));
      const how = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
      document.querySelector('.composer textarea').dispatchEvent(
        name === 'paste' ? new ClipboardEvent(name, how) : new DragEvent(name, how),
      );
    }`);
    await button(page, 'Remove picture 3').click();
    await button(page, 'Remove picture 2').click();
    expect(await page.getByRole('img', { name: 'Picture 2' }).count()).toBe(0);
    await send(page, 'What is it?');
    await page.getByText('a gate').waitFor();
    expect(own.provider.calls.at(-1)?.body['messages']).toMatchObject([
      {
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
        ],
      },
    ]);
    await page.reload();
    const shown = page.locator('article').getByRole('img', { name: 'Picture 1' });
    await shown.waitFor();
    expect(await shown.getAttribute('src')).toMatch(/^\/images\//);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test('two tabs show the same room', async () => {
  const alice = await world.user();
  await world.provider.script('good');
  await withPage(async (page) => {
    await openRoom(page, alice);
    const other = await page.context().newPage();
    await other.goto(`${address}/app/chat/${alice.room}`);
    await other.getByRole('textbox', { name: 'Message' }).waitFor();
    await send(page, 'From the first tab');
    await other.getByText('echo: From the first tab').waitFor();
    await other.getByText(/^Sum of the room: ₽0\.\d+$/).waitFor();
  });
});
