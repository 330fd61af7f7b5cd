import { isIPv6 } from 'node:net';

/** Where a local Ollama is looked for, and what its models cost. */
export interface OllamaSettings {
  /** Its address without a trailing slash, e.g. `http://127.0.0.1:11434`. */
  address: string;
  /** Its models are free for everybody; false: they have no price, and are for admins. */
  free: boolean;
  /** The context length of the Ollama, where its own variable says so. Tokens. */
  contextTokens: number | undefined;
}

/** The values of ZASTAVA_OLLAMA. */
export const ollamaChoices = ['on', 'free', 'off'] as const;

/** Ollama's own default. */
const STANDARD = { host: '127.0.0.1', port: 11_434 };

/** A server that binds to every address is called at the loopback one. */
const reachable: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads what says whether and where to look for an Ollama.
 * @param choice ZASTAVA_OLLAMA; undefined: nobody asked for it, so only this machine itself is asked,
 *   by the one node there is
 * @param manyNodes on each of several nodes 127.0.0.1 would be another machine
 * @returns undefined: do not look. `unreadable`: OLLAMA_HOST is no address
 */
export function readOllama(
  env: Environment,
  choice: (typeof ollamaChoices)[number] | undefined,
  manyNodes: boolean,
): OllamaSettings | 'unreadable' | undefined {
  const host = env['OLLAMA_HOST'] ?? '';
  if (choice === 'off') return undefined;
  const isAskedFor = choice !== undefined || host !== '';
  if (!isAskedFor && (manyNodes || loopbackIsProxied(env))) return undefined;
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
 * Reads an OLLAMA_HOST as Ollama's own clients do: `host`, `host:port`, `:port` or a URL.
 * @returns the address without a trailing slash; undefined when it can't be read
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

/** Calls to this machine would go through a proxy, and so leave it. */
function loopbackIsProxied(env: Environment): boolean {
  const value = (name: string) => env[name] || env[name.toUpperCase()] || '';
  if (value('http_proxy') === '' && value('all_proxy') === '') return false;
  const direct = value('no_proxy')
    .split(',')
    .map((name) => name.trim());
  return !direct.some((name) => name === '*' || name === STANDARD.host);
}
