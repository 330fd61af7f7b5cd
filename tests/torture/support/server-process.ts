/** The real product as a separate process, started the way an operator starts it. */
import { join } from 'node:path';

const root = join(import.meta.dir, '../../..');
const launcher = join(root, 'bin/zastava');
/** Ends a start that hangs. On a busy machine it may take minutes. */
const START_DEADLINE_MS = 240_000;

export interface ServerProcess {
  url: string;
  pid: number;
  /** From the start of the process to the line that says it listens. */
  readyMs: number;
  /** Its standard output so far. */
  output: () => string;
  /** Its log so far. */
  logged: () => string;
  /** The exit code, once it has ended; null if a signal ended it. */
  exited: Promise<number>;
  /** Kills it. */
  kill(): Promise<void>;
  /**
   * Requests its stop.
   * @returns the exit code
   */
  stop(): Promise<number>;
}

export interface StartOptions {
  /** Settings of this start only. */
  env?: Record<string, string>;
  /** A module that is loaded before the product: a deliberately broken part of it. */
  preload?: string | undefined;
  /** A command that runs the product's command line, e.g. `prlimit --fsize=1000000`. */
  under?: readonly string[];
}

/** @param env settings added to an otherwise bare environment */
export async function startServer(
  env: Record<string, string>,
  { preload, under = [], env: own = {} }: StartOptions = {},
): Promise<ServerProcess> {
  const start = performance.now();
  const command =
    preload === undefined
      ? ['sh', launcher, 'serve']
      : ['sh', join(root, 'bin/bun'), '--preload', preload, join(root, 'src/main.ts'), 'serve'];
  const child = Bun.spawn([...under, ...command], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ZASTAVA_PORT: '0',
      ZASTAVA_LOG_LEVEL: 'warn',
      ZASTAVA_OLLAMA: 'off',
      ...env,
      ...own,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let errors = '';
  void collect(child.stderr, (text) => (errors += text));
  let output = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new Error(`not ready in time: ${output}${errors}`));
  }, START_DEADLINE_MS);
  const reading = collect(child.stdout, (text) => {
    output += text;
    const found = /^listening on (\S+)$/m.exec(output)?.[1];
    if (found !== undefined) resolve(found);
  });
  const ended = async (): Promise<never> => {
    await reading;
    throw new Error(`ended before it listened: ${output}${errors}`);
  };
  const url = await Promise.race([listening, ended()]);
  clearTimeout(timer);
  return {
    url,
    pid: child.pid,
    readyMs: performance.now() - start,
    output: () => output,
    logged: () => errors,
    exited: child.exited,
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return child.exited;
    },
  };
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}
