import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { modelNames, models } from './cells.ts';
import { stopping } from './stopping.ts';

const ROOT = join(import.meta.dir, '..');
const CREDIT_RUBLES = '100000';
const MAX_INPUT_TOKENS = 64_000;

export interface Gateway {
  url: string;
  /** A key of a user with money. */
  key: string;
  /** A key of a user without. */
  poorKey: string;
  stop(): Promise<void>;
}

/** A fresh server, started as the README says, on a folder of its own. */
export async function startGateway(folder: string, upstream: string): Promise<Gateway> {
  await mkdir(folder, { recursive: true });
  const catalogue = join(folder, 'catalogue.yaml');
  await Bun.write(catalogue, catalogueText(upstream));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    ZASTAVA_DATA_DIR: join(folder, 'data'),
    ZASTAVA_CATALOGUE: catalogue,
    ZASTAVA_PORT: '0',
    ZASTAVA_OLLAMA: 'off',
  };
  const server = Bun.spawn(['npm', 'start', '--silent'], {
    cwd: ROOT,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: Bun.file(join(folder, 'server.log')),
    signal: stopping,
  });
  const url = await addressIn(server.stdout);
  const command = async (...args: string[]): Promise<string> => {
    const run = Bun.spawn(['sh', join(ROOT, 'bin/zastava'), ...args], {
      env,
      stderr: 'inherit',
      signal: stopping,
    });
    return (await new Response(run.stdout).text()).trim();
  };
  await command('user', 'add', 'rich', '--credit', CREDIT_RUBLES);
  await command('user', 'add', 'poor');
  const keyOf = async (login: string) => {
    const printed = await command('key', 'create', login, '--name', 'campaign', '--json');
    return /zk_[\w-]+/.exec(printed)?.[0] ?? '';
  };
  const key = await keyOf('rich');
  for (const model of modelNames) await answerOnce(url, key, model);
  return {
    url,
    key,
    poorKey: await keyOf('poor'),
    stop: async () => {
      server.kill('SIGTERM');
      await server.exited;
    },
  };
}

/** A stream whose client leaves is read on until a model has answered once (docs/money.md); this is that answer. */
async function answerOnce(url: string, key: string, model: string): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Say good morning' }] }),
  });
  if (!response.ok) throw new Error(`${model} answered ${response.status}`);
  await response.json();
}

/** The address that the server prints. What it prints after that is read and dropped. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the server did not start: ${text}`);
    text += decoder.decode(value, { stream: true });
    const address = /^listening on (\S+)/m.exec(text)?.[1];
    if (address === undefined) continue;
    reader.releaseLock();
    void output.pipeTo(new WritableStream());
    return address;
  }
}

function catalogueText(upstream: string): string {
  const kinds = Object.values(models);
  const providers = kinds.map((kind) => {
    const path = kind === 'openai' ? '/v1' : '';
    return `  ${kind}:\n    kind: ${kind}\n    base_url: ${upstream}/${kind}${path}\n    api_key: none\n`;
  });
  const entries = Object.entries(models).map(
    ([name, kind], index) => `  - id: ${101 + index}
    provider: ${kind}
    model: ${name}
    model_alias: ${name}
    type: TEXT
    max_input_tokens: ${MAX_INPUT_TOKENS}
    max_output_tokens: 64000
    cost_input_tokens_rub: 25
    cost_output_tokens_rub: 200
`,
  );
  return `providers:\n${providers.join('')}models:\n${entries.join('')}`;
}
