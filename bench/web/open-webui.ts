import type { Page } from 'playwright-core';
import { answerOf, requestOf } from '../../tests/web/support/full-room.ts';
import { pythonWith } from '../peers/python.ts';
import { temporaryDirectory } from '../support/gateways.ts';
import { freePort } from '../support/ports.ts';
import { start } from '../support/processes.ts';
import { type ChatPage, MESSAGES } from './chat-page.ts';
import { PACED } from './paced-provider.ts';

/** The version that is installed. */
export const OPEN_WEBUI = '0.12.4';
/** Dependencies for searching documents and recognising speech only: with PyTorch they take several gigabytes. */
const leftOut = ['sentence-transformers', 'accelerate', 'transformers', 'faster-whisper'];
const READY_MS = 300_000;
/** How long to wait for the news dialog, which appears within a second. */
const NEWS_MS = 5_000;
const PERSON = { name: 'Reader', email: 'reader@example.com', password: 'A-long-password-1' };

/**
 * Open WebUI with a room of many messages.
 * @param provider the address of the model
 * @returns the reason if it can't run
 */
export async function openWebui(provider: string): Promise<ChatPage | string> {
  const packages = [`open-webui==${OPEN_WEBUI}`];
  const found = await pythonWith({ folder: `open-webui-${OPEN_WEBUI}`, packages, leftOut });
  if ('problem' in found) return found.problem;
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = found.python.replace(/python$/, 'open-webui');
  const running = await start([program, 'serve', '--host', '127.0.0.1', '--port', String(port)], {
    core: undefined,
    cwd: directory.path,
    env: { ...settings, DATA_DIR: directory.path, OPENAI_API_BASE_URL: provider },
    answers: async () => (await fetch(`${address}/health`)).ok,
    readyWithinMs: READY_MS,
  });
  stack.defer(() => running.stop());
  const ask = async <T>(path: string, body: object, token = ''): Promise<T> => {
    const response = await fetch(`${address}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { token } = await ask<{ token: string }>('auths/signup', PERSON);
  const { id } = await ask<{ id: string }>('chats/new', { chat: longChat() }, token);
  const kept = stack.move();
  return {
    name: 'Open WebUI',
    logIn: (page) => logIn(page, address),
    empty: `${address}/`,
    room: `${address}/c/${id}`,
    box: (page) => page.locator('#chat-input'),
    scroller: '#messages-container',
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Only the chat itself: no other model, no news, no calls besides the answer. */
const settings = {
  OPENAI_API_KEY: 'none',
  ENABLE_OLLAMA_API: 'false',
  OFFLINE_MODE: 'true',
  RAG_EMBEDDING_ENGINE: 'openai',
  DEFAULT_MODELS: PACED,
  WEBUI_SECRET_KEY: 'a secret of the benchmark, of 32 bytes',
  ENABLE_TITLE_GENERATION: 'false',
  ENABLE_TAGS_GENERATION: 'false',
  ENABLE_FOLLOW_UP_GENERATION: 'false',
  ENABLE_AUTOCOMPLETE_GENERATION: 'false',
  SHOW_ADMIN_DETAILS: 'false',
};

async function logIn(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/auth`);
  await page.locator('input[type=email]').fill(PERSON.email);
  await page.locator('input[type=password]').fill(PERSON.password);
  await page.locator('button[type=submit]').click();
  await page.locator('#chat-input').waitFor();
  // News of the version, the first time.
  const news = page.getByText("Okay, Let's Go!");
  await news.click({ timeout: NEWS_MS }).catch(() => undefined);
}

/** The chat in the form in which its own page stores it: a chain of requests and answers. */
function longChat(): object {
  const all = Array.from({ length: 2 * MESSAGES }, (_, at) => {
    const number = Math.floor(at / 2) + 1;
    const isRequest = at % 2 === 0;
    return {
      id: `m${at}`,
      parentId: at === 0 ? null : `m${at - 1}`,
      childrenIds: at === 2 * MESSAGES - 1 ? [] : [`m${at + 1}`],
      role: isRequest ? 'user' : 'assistant',
      content: isRequest ? requestOf(number) : answerOf(number),
      timestamp: 1_700_000_000 + at,
      ...(isRequest ? { models: [PACED] } : { model: PACED, modelName: PACED, done: true }),
    };
  });
  const messages = Object.fromEntries(all.map((one) => [one.id, one]));
  return {
    title: 'A long room',
    models: [PACED],
    params: {},
    history: { messages, currentId: all.at(-1)?.id },
    messages: [],
    tags: [],
    timestamp: 1_700_000_000_000,
  };
}
