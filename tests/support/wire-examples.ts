/**
 * A gateway with one model at an upstream of each of the main kinds. The upstreams answer with the wire examples of
 * tests/fixtures/providers: with tool calls if the request has tools and no result yet, otherwise with a text.
 */
import { join } from 'node:path';
import type { Dialect } from '../../src/db/index.ts';
import { WireServer, type Reply, type WireCall } from '../providers/conformance/wire-server.ts';
import { openGateway, type Gateway } from './gateway.ts';

export const upstreamKinds = ['openai', 'anthropic', 'gemini'] as const;
export type UpstreamKind = (typeof upstreamKinds)[number];

const root = join(import.meta.dir, '../fixtures/providers');
const prices = { cost_input_tokens_rub: 10, cost_output_tokens_rub: 20 };
const facts = { type: 'TEXT', min_temperature: 0, max_temperature: 2, is_chat_mode_allowed: 1 };
const limits = { max_input_tokens: 100_000, max_output_tokens: 1_000 };

export interface Upstreams extends AsyncDisposable {
  gateway: Gateway;
  /** The calls to the upstreams, oldest first. */
  calls: readonly WireCall[];
  /** Sets the answer to all calls from now on; undefined: the wire examples. */
  script: (reply: ((call: WireCall) => Reply) | undefined) => void;
}

/** The name of the model at that upstream. */
export function modelAt(kind: UpstreamKind): string {
  return `at-${kind}`;
}

/** A server with an upstream of each kind. */
export async function startWireExamples() {
  const wire = await WireServer.start();
  const files = await examples();
  const usual = (call: WireCall): Reply => ({ body: files(call) });
  wire.script(usual);
  const baseUrl = (kind: UpstreamKind) => `http://127.0.0.1:${wire.port}/${kind}`;
  return { wire, usual, baseUrl };
}

export async function openUpstreams(dialect: Dialect): Promise<Upstreams> {
  await using stack = new AsyncDisposableStack();
  const { wire, usual, baseUrl } = await startWireExamples();
  stack.use(wire);
  const provider = (kind: UpstreamKind) => ({ kind, base_url: baseUrl(kind), api_key: 'key' });
  const catalogue = JSON.stringify({
    providers: Object.fromEntries(upstreamKinds.map((kind) => [kind, provider(kind)])),
    models: upstreamKinds.map((kind, at) => ({
      id: 101 + at,
      provider: kind,
      model: 'model-1',
      model_alias: modelAt(kind),
      ...facts,
      ...limits,
      ...prices,
    })),
  });
  const gateway = stack.use(await openGateway(dialect, { catalogue }));
  const kept = stack.move();
  return {
    gateway,
    calls: wire.calls,
    script: (reply) => wire.script(reply ?? usual),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Finds the wire example that answers a call. */
async function examples(): Promise<(call: WireCall) => string> {
  const names = ['text.json', 'stream.sse', 'tool-calls.json', 'stream-tool-calls.sse'];
  const texts = new Map<string, string>();
  for (const kind of upstreamKinds) {
    for (const name of names) {
      texts.set(`${kind}/${name}`, await Bun.file(join(root, kind, name)).text());
    }
  }
  return ({ path, text }) => {
    const kind = upstreamKinds.find((one) => path.startsWith(`/${one}/`)) ?? '';
    const body = JSON.parse(text) as Record<string, unknown>;
    const isStream = body['stream'] === true || path.includes(':streamGenerateContent');
    const hasResult = /"(tool_call_id|tool_use_id|functionResponse)"/.test(text);
    const calls = body['tools'] !== undefined && !hasResult ? 'tool-calls' : 'text';
    const name = isStream ? `stream${calls === 'text' ? '' : `-${calls}`}.sse` : `${calls}.json`;
    return texts.get(`${kind}/${name}`) ?? '';
  };
}
