import { isIPv6 } from 'node:net';
import type { Environment } from './forms.ts';

/** Where to look for a local Ollama, and what its models cost. */
export interface OllamaSettings {
  /** Its address without a trailing slash, e.g. `http://127.0.0.1:11434`. */
  address: string;
  /** True: its models are free for everybody; false: they have no price, and only admins may use them. */
  free: boolean;
  /** The context length from Ollama's own variable, if it is set, in tokens. */
  contextTokens: number | undefined;
}

/** The values of ZASTAVA_OLLAMA. */
export const ollamaChoices = ['on', 'free', 'off'] as const;

/** Ollama's own default. */
const STANDARD = { host: '127.0.0.1', port: 11_434 };

/** An Ollama that listens on all addresses is called at the loopback address. */
const reachable: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/**
 * Decides whether and where to look for an Ollama.
 * @param choice ZASTAVA_OLLAMA; undefined: by default a single node looks only on its own machine
 * @param manyNodes then 127.0.0.1 is a different machine for each node
 * @returns undefined: do not look. `unreadable`: OLLAMA_HOST is not an address
 */
export function readOllama(
  env: Environment,
  choice: (typeof ollamaChoices)[number] | undefined,
  manyNodes: boolean,
): OllamaSettings | 'unreadable' | undefined {
  const host = env['OLLAMA_HOST'] ?? '';
  if (choice === 'off') return undefined;
  const isRequested = choice !== undefined || host !== '';
  if (!isRequested && (manyNodes || loopbackIsProxied(env))) return undefined;
  const address = ollamaAddress(host === '' ? STANDARD.host : host);
  if (address === undefined) return 'unreadable';
  const context = env['OLLAMA_CONTEXT_LENGTH'] ?? '';
  return {
    address,
    free: choice === 'free',
    contextTokens: /^[1-9]\d{0,8}$/.test(context) ? Number(context) : undefined,
  };
}

/**
 * Reads OLLAMA_HOST as Ollama's own clients do: `host`, `host:port`, `:port` or a URL.
 * @returns the address without a trailing slash; undefined if it can't be read
 */
export function ollamaAddress(host: string): string | undefined {
  const text = host.trim().replace(/^(["'])(.*)\1$/, '$2');
  const hasScheme = /^https?:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `http://${withPort(text)}`);
  if (!url?.hostname || url.username || url.password || url.search || url.hash) return undefined;
  const port = url.port === '' ? '' : `:${url.port}`;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.protocol}//${reachable.get(url.hostname) ?? url.hostname}${port}${path}`;
}

function withPort(text: string): string {
  if (isIPv6(text)) return `[${text}]:${STANDARD.port}`;
  const [, authority = '', path = ''] = /^([^/]*)(.*)$/s.exec(text) ?? [];
  const host =
    authority === '' || authority.startsWith(':') ? STANDARD.host + authority : authority;
  return /:\d+$/.test(host) ? host + path : `${host}:${STANDARD.port}${path}`;
}

/** Whether calls to this machine would go through a proxy, and so leave it. */
function loopbackIsProxied(env: Environment): boolean {
  const value = (name: string) => env[name] || env[name.toUpperCase()] || '';
  if (value('http_proxy') === '' && value('all_proxy') === '') return false;
  const direct = value('no_proxy')
    .split(',')
    .map((name) => name.trim());
  return !direct.some((name) => name === '*' || name === STANDARD.host);
}
