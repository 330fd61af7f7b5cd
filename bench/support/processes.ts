import { readFileSync } from 'node:fs';
import { TICK_MS } from './machine.ts';

/** This core is reserved for the gateway under test. */
export const GATEWAY_CORE = 0;
/** The mock provider and the load generator share the other one. */
export const PEER_CORE = 1;

const READY_MS = 30_000;
const STOP_MS = 10_000;

const taskset = Bun.which('taskset');
export const canPin = taskset !== null && navigator.hardwareConcurrency > 1;

/** The command line that runs `command` on one core; unchanged if cores can't be chosen. */
export function pinned(core: number | undefined, command: readonly string[]): string[] {
  return canPin && core !== undefined
    ? [taskset ?? '', '-c', String(core), ...command]
    : [...command];
}

export interface Running {
  pid: number;
  /** The line that reported its readiness, if there was one to wait for. */
  readyLine: string;
  /** Milliseconds from the start to that line. */
  readyMs: number;
  stop: () => Promise<void>;
  /** Kills it at once. */
  kill: () => Promise<void>;
}

export interface StartOptions {
  /** Undefined: any. */
  core: number | undefined;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** A line of its standard output that reports readiness; without it, `answers` is called. */
  readyLine?: RegExp;
  /** True once the process serves. */
  answers?: () => Promise<boolean>;
  /** Half a minute by default. */
  readyWithinMs?: number;
}

const running = new Set<Running>();

/** Starts a process and waits until it is ready. @throws with its error output if it is not ready in time */
export async function start(command: readonly string[], options: StartOptions): Promise<Running> {
  const startedAt = performance.now();
  const { readyLine } = options;
  const child = Bun.spawn(pinned(options.core, command), {
    env: { ...process.env, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdin: 'ignore',
    // Read only for this line: a pipe that nobody reads makes its writer wait once it is full.
    stdout: readyLine === undefined ? 'ignore' : 'pipe',
    stderr: 'pipe',
  });
  const errors = lastOf(child.stderr);
  const self: Running = {
    pid: child.pid,
    readyLine: '',
    readyMs: 0,
    async stop() {
      running.delete(self);
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await child.exited;
      clearTimeout(timer);
    },
    async kill() {
      running.delete(self);
      child.kill('SIGKILL');
      await child.exited;
    },
  };
  running.add(self);
  const ready =
    readyLine !== undefined && child.stdout !== undefined
      ? lineOf(child.stdout, readyLine)
      : untilServing(child, options.answers ?? (() => Promise.resolve(true)));
  const line = await Promise.race([
    ready,
    child.exited,
    Bun.sleep(options.readyWithinMs ?? READY_MS),
  ]);
  if (typeof line !== 'string') {
    await self.stop();
    throw new Error(`${command.join(' ')} did not get ready:\n${errors()}`);
  }
  self.readyLine = line;
  self.readyMs = performance.now() - startedAt;
  return self;
}

/** Ends everything that a failed measure has left running. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((process) => process.stop()));
}

/** Resolves with the first line that matches; continues to read, so that the writer never waits. */
function lineOf(output: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    void (async () => {
      const decoder = new TextDecoder();
      let text = '';
      let found = false;
      for await (const bytes of output) {
        if (found) continue;
        text += decoder.decode(bytes, { stream: true });
        const line = text.split('\n').find((candidate) => pattern.test(candidate));
        if (line === undefined) continue;
        found = true;
        resolve(line);
      }
    })();
  });
}

function lastOf(output: ReadableStream<Uint8Array>): () => string {
  let text = '';
  void (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of output) {
      text = (text + decoder.decode(bytes, { stream: true })).slice(-4096);
    }
  })();
  return () => text;
}

/** @returns undefined if the process ended first */
async function untilServing(
  child: Bun.Subprocess,
  answers: () => Promise<boolean>,
): Promise<string | undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await answers().catch(() => false)) return '';
    await Bun.sleep(20);
  }
  return undefined;
}

/** Runs a process to its end with `input`, and parses its output. @throws if it fails */
export async function runJson(
  core: number | undefined,
  command: string[],
  input: unknown,
): Promise<unknown> {
  const child = Bun.spawn(pinned(core, command), {
    stdin: Buffer.from(JSON.stringify(input)),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
  return JSON.parse(output) as unknown;
}

/** Processor time of a process and its children, milliseconds; undefined where Linux's /proc is absent. */
export function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the process, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const own = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const below = children === '' ? [] : children.split(' ');
    return below.reduce((sum, child) => sum + (cpuMs(Number(child)) ?? 0), own);
  } catch {
    return undefined;
  }
}

/** Processor time of a process without its children, milliseconds. */
export function cpuOfAlone(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const below = children === '' ? [] : children.split(' ');
  return below.reduce((left, child) => left - (cpuMs(Number(child)) ?? 0), cpuMs(pid) ?? 0);
}

/** Resident memory of a process, bytes; undefined where Linux's /proc is absent. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}

/** Bytes that a process has read from files and written to them so far, also from and to the system's cache. */
export function fileBytes(pid: number): { read: number; written: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8');
    const of = (name: string): number =>
      Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
    return { read: of('rchar'), written: of('wchar') };
  } catch {
    return undefined;
  }
}
