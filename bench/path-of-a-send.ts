/**
 * The path of one plain `POST /ai/send/`: which source files run a function for it, and the calls between `Sender.send`
 * and the provider's socket. Every function of `src` is wrapped as it is loaded, so the sources stay as they are.
 * Usage: sh bin/bun bench/path-of-a-send.ts
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { plugin } from 'bun';
import { parseSync } from 'oxc-parser';

const SOURCES = new URL('../src/', import.meta.url).pathname;
const FROM = 'Sender.send';
const TO = 'WireAgent.post';

const chain = new AsyncLocalStorage<readonly string[]>();
const files = new Map<string, Set<string>>();
let toSocket: readonly string[] = [];
let recording = false;

/** Every wrapped function runs its body through this. */
Object.assign(globalThis, {
  pathOfASend(file: string, name: string, body: (() => unknown) | undefined): unknown {
    if (!recording) return body?.();
    if (!files.has(file)) files.set(file, new Set());
    files.get(file)?.add(name);
    const calls = [...(chain.getStore() ?? []), name];
    if (name === TO) toSocket = calls.slice(calls.indexOf(FROM) + 1);
    return body && chain.run(calls, body);
  },
});

interface Edit {
  at: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  body?: Node | null;
  async?: boolean;
  generator?: boolean;
  [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Records what to insert so that every function below this node calls `pathOfASend`. */
function wrap(node: Node, file: string, edits: Edit[], named: { class: string; name: string }) {
  const { type, body } = node;
  const own = { ...named };
  const key = isNode(node['key']) ? node['key'] : undefined;
  const id = isNode(node['id']) ? node['id'] : undefined;
  if (type === 'ClassDeclaration') own.class = `${String(id?.['name'])}.`;
  if (key)
    own.name = own.class + (key.type === 'PrivateIdentifier' ? '#' : '') + String(key['name']);
  else if (id) own.name = String(id['name']);
  if (/Function/.test(type) && body) {
    const about = `${JSON.stringify(file)}, ${JSON.stringify(own.name)}`;
    const start = `pathOfASend(${about}, ${node.async ? 'async ' : ''}() => `;
    const isPlain = !node.generator && node['kind'] !== 'constructor';
    if (body.type !== 'BlockStatement') {
      edits.push({ at: body.start, text: `${start}(` }, { at: body.end, text: '))' });
    } else if (isPlain && named.name !== 'constructor') {
      edits.push(
        { at: body.start + 1, text: `return ${start}{` },
        { at: body.end - 1, text: '});' },
      );
    } else {
      edits.push({ at: body.start + 1, text: `pathOfASend(${about});` });
    }
    own.name += ' callback';
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) wrap(child, file, edits, own);
    }
  }
}

plugin({
  name: 'path of a send',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      let text = await Bun.file(path).text();
      if (!path.startsWith(SOURCES)) return { contents: text, loader: 'ts' };
      const edits: Edit[] = [];
      const { program } = parseSync(path, text, { range: false });
      wrap(program as unknown as Node, path.slice(SOURCES.length), edits, { class: '', name: '' });
      // Of two edits at one position, the later one belongs to the inner function.
      const ordered = edits.map((edit, order) => ({ ...edit, order }));
      ordered.sort((a, b) => b.at - a.at || b.order - a.order);
      for (const { at, text: inserted } of ordered)
        text = text.slice(0, at) + inserted + text.slice(at);
      return { contents: text, loader: 'ts' };
    });
  },
});

const { openGateway } = await import('../tests/support/gateway.ts');

const completion = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
};
const provider = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => Response.json(completion),
});
const catalogue = `
providers:
  up: { kind: openai, base_url: 'http://127.0.0.1:${provider.port}/v1', api_key: key }
models:
  - id: 101
    provider: up
    model: one
    type: TEXT
    max_input_tokens: 4000
    max_output_tokens: 1000
    cost_input_tokens_rub: 0.0001
    cost_output_tokens_rub: 0.0002
    cost_input_fix_rub: 0
    cost_output_fix_rub: 0
`;
{
  await using gateway = await openGateway('sqlite', { catalogue });
  const { token } = await gateway.addUser({ credit: 10 });
  const room = await gateway.room(token);
  const send = () =>
    gateway.data('/ai/send/', { room_id: room, ai: 101, message: 'Is it?' }, { token });
  for (let warmUp = 0; warmUp < 3; warmUp++) await send();
  recording = true;
  await send();
  recording = false;
}
await provider.stop(true);
const functions = [...files.values()].reduce((sum, names) => sum + names.size, 0);
for (const [file, names] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${file}: ${[...names].join(', ')}`);
}
console.log(`\nfrom ${FROM} to ${TO}: ${toSocket.join(' > ')}`);
console.log(
  `${files.size} files, ${functions} functions, ${toSocket.length} calls from ${FROM} to the socket`,
);
