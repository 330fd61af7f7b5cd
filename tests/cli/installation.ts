/**
 * An installation as an operator has it: a data directory (and a PostgreSQL database), the real server as a process,
 * and the real command line. Commands run in the process of the tests, which takes a fraction of the work of starting a
 * process for each; `spawn` is for tests that need a process.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { runCommandLine } from '../../src/cli/run.ts';
import { decoded, readUpTo, type Terminal } from '../../src/cli/terminal.ts';
import type { Dialect } from '../../src/db/index.ts';
import { openTestDatabase } from '../support/databases.ts';

/** What `npm start` and `npx zastava` run. */
export const launcher = ['sh', resolve(import.meta.dir, '../../bin/zastava')];

/** A catalogue file whose only model, 101, belongs to a scripted provider. */
export const scriptedCatalogue = (baseUrl: string) => `
providers:
  scripted: { kind: openai, base_url: "${baseUrl}" }
models:
  - id: 101
    provider: scripted
    model: m
    type: TEXT
    max_input_tokens: 10000
    max_output_tokens: 1000
    cost_input_tokens_rub: 100
    cost_output_tokens_rub: 200
`;

export interface Finished {
  code: number;
  out: string;
  err: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
}

type Run = (words: readonly string[], options?: RunOptions) => Promise<Finished>;

export interface RunningServer {
  url: string;
  pid: number;
  /** The standard output so far. */
  out: () => string;
  signal: (name: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL') => void;
  exited: Promise<Finished>;
}

export interface Installation extends AsyncDisposable {
  /** A directory for the test; the data directory is `data` in it. */
  dir: string;
  env: Record<string, string>;
  run: Run;
  /** Runs a command as a separate process, in `dir`. */
  spawn: Run;
  /** The output of a command with --json; the command must succeed. */
  json: <T>(words: readonly string[], options?: RunOptions) => Promise<T>;
  /** Starts a server and waits until it listens. @throws if it ends instead */
  serve: (env?: Record<string, string>) => Promise<RunningServer>;
}

/**
 * @param given what stands before the arguments on the command line; if given, each command is a process
 * @param migrated false: a database of PostgreSQL has no table yet. Making the tables takes longer than the rest.
 */
export async function openInstallation(
  dialect: Dialect = 'sqlite',
  given?: readonly string[],
  migrated = true,
): Promise<Installation> {
  const command = given ?? launcher;
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'zastava-cli-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const env = {
    PATH: process.env['PATH'] ?? '',
    ZASTAVA_DATA_DIR: join(dir, 'data'),
    ZASTAVA_PORT: '0',
    ZASTAVA_LOG_LEVEL: 'warn',
    // The tests must not find an Ollama of this machine.
    ZASTAVA_OLLAMA: 'off',
    ...(dialect === 'postgres' && (await postgresSettings(stack, migrated))),
  };
  const spawned: Run = (words, options = {}) =>
    finish(spawn([...command, ...words], { ...env, ...options.env }, dir, options.stdin));
  // A server is the only one in its process.
  const run: Run = (words, options = {}) =>
    given || words[0] === 'serve'
      ? spawned(words, options)
      : runHere(words, { ...env, ...options.env }, options.stdin);
  const kept = stack.move();
  return {
    dir,
    env,
    run,
    spawn: spawned,
    async json<T>(words: readonly string[], options?: RunOptions): Promise<T> {
      const { code, out, err } = await run([...words, '--json'], options);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out) as T;
    },
    serve: (extra = {}) => startServer([...command, 'serve'], { ...env, ...extra }, dir, kept),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** An installation before its first start. */
export function openNewInstallation(dialect: Dialect): Promise<Installation> {
  return openInstallation(dialect, undefined, false);
}

async function postgresSettings(
  stack: AsyncDisposableStack,
  migrated: boolean,
): Promise<Record<string, string>> {
  const { config } = stack.use(await openTestDatabase('postgres', { migrated }));
  if (config.kind !== 'postgres') throw new Error('not a PostgreSQL database');
  return { ZASTAVA_DATABASE_URL: config.url, ZASTAVA_SECRET: 's'.repeat(40) };
}

async function runHere(
  words: readonly string[],
  env: Record<string, string>,
  stdin = '',
): Promise<Finished> {
  const printed = { out: '', err: '' };
  const terminal: Terminal = {
    interactive: false,
    write: async (text) => void (printed.out += text),
    writeError: async (text) => void (printed.err += text),
    ask: async (question) => {
      printed.err += question;
      return stdin.split('\n', 1)[0]?.trim() ?? '';
    },
    readAll: (maxBytes) => decoded('standard input', readUpTo([Buffer.from(stdin)], maxBytes)),
  };
  const { version } = packageFile;
  // Without it the tests and their processes would keep a lowered priority.
  const parts = { version, terminal, env, lowerPriority: () => undefined };
  return { code: await runCommandLine(parts, words), ...printed };
}

function spawn(command: string[], env: Record<string, string>, cwd: string, stdin = '') {
  return Bun.spawn(command, {
    env,
    cwd,
    stdin: Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

type Child = ReturnType<typeof spawn>;

async function finish(child: Child): Promise<Finished> {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

async function startServer(
  command: string[],
  env: Record<string, string>,
  cwd: string,
  stack: AsyncDisposableStack,
): Promise<RunningServer> {
  const child = spawn(command, env, cwd);
  stack.defer(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  let out = '';
  const listening = Promise.withResolvers<string>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      out += decoder.decode(chunk, { stream: true });
      const url = /^listening on (\S+)$/m.exec(out)?.[1];
      if (url !== undefined) listening.resolve(url);
    }
  })();
  const exited = (async () => {
    const [err, code] = await Promise.all([
      new Response(child.stderr).text(),
      child.exited,
      reading,
    ]);
    listening.reject(new Error(`the server ended with ${code}: ${out}${err}`));
    return { code, out, err };
  })();
  return {
    url: await listening.promise,
    pid: child.pid,
    out: () => out,
    signal: (name) => child.kill(name),
    exited,
  };
}

/**
 * Calls a JSON operation of a server.
 * @returns the status with the whole answer
 */
export async function post(
  url: string,
  path: string,
  body: unknown,
  token?: string,
): Promise<{ status: number; body: Answer; headers: Headers }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as Answer,
    headers: response.headers,
  };
}

export interface Answer {
  status: string;
  data: Record<string, unknown>;
  error: { code: string; message: string };
}

/** The token of a login that must succeed. */
export async function logIn(url: string, login: string, password: string): Promise<string> {
  const { body } = await post(url, '/auth/login/', { login, password });
  return String(body.data['token']);
}

/** The password that a first start printed. */
export function printedPassword(out: string): string {
  return /^password: (\S+)$/m.exec(out)?.[1] ?? '';
}
