import { spawn, type ChildProcessWithoutNullStreams, type StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { DomainError, errorCodes, type ErrorCode } from '../../lib/errors.ts';
import type { JsonLine, ProgressView } from '../../lib/json-line.ts';
import type { TrustCommand } from './work.ts';

/** Milliseconds between asking a process to end and ending it. */
const KILL_AFTER_MS = 3_000;

/** How this program is started: the executable, and the words before a command's. */
export interface OwnProgram {
  program: readonly [string, ...string[]];
  env: Readonly<Record<string, string | undefined>>;
}

export interface CommandListener {
  onProgress: (progress: ProgressView) => void;
  onWarning: (warning: string) => void;
}

/**
 * Runs a command of this program in a process of its own, so that its memory, its processor time and its end are not
 * the server's.
 * @param signal asks the process to end, and ends it when it does not
 * @returns what the command printed, read as JSON
 * @throws DomainError as the command told it, or saying that the process ended without a word
 */
export async function runCommand(
  { program: [file, ...before], env }: OwnProgram,
  { words, input }: TrustCommand,
  signal: AbortSignal,
  listener: CommandListener,
): Promise<unknown> {
  // Nothing is said by the last one: it closes when this process ends, however that comes, and the command with it.
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', 'ipc'];
  const options = { env: { ...env }, stdio };
  const child = spawn(file, [...before, ...words], options) as ChildProcessWithoutNullStreams;
  let killing: Timer | undefined;
  const end = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    // A process that is gone reads no input; how it ended is told below.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = endOf(child);
    const [printed, refusal, how] = await Promise.all([
      text(child.stdout),
      listen(child, listener),
      ended,
    ]);
    if (how === 'exit 0') return JSON.parse(printed) as unknown;
    throw refusal ?? new Error(`its process ended without a word (${how})${adviceOn(how)}`);
  } finally {
    clearTimeout(killing);
    signal.removeEventListener('abort', end);
  }
}

/** @returns `exit 1`, or the signal that ended it @throws when it could not be started */
function endOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
}

/** Nothing of ours ends a process that hard, but the system does where memory runs out. */
function adviceOn(how: string): string {
  return how === 'SIGKILL' ? ': if memory ran out, give a smaller memory_mib' : '';
}

/** @returns why the command failed, when it said so */
async function listen(
  { stderr }: ChildProcessWithoutNullStreams,
  { onProgress, onWarning }: CommandListener,
): Promise<DomainError | undefined> {
  let refusal: DomainError | undefined;
  for await (const line of createInterface({ input: stderr })) {
    const { progress, warning, error } = toldIn(line);
    if (progress) onProgress(progress);
    if (warning !== undefined) onWarning(warning);
    if (error) refusal = new DomainError(codeOf(error.code), error.message);
  }
  return refusal;
}

/** Lines of the log stand between those of the command. */
function toldIn(line: string): JsonLine {
  try {
    return (JSON.parse(line) ?? {}) as JsonLine;
  } catch {
    return {};
  }
}

/** The command line has codes of its own for what is none of HTTP's. */
function codeOf(code: string): ErrorCode {
  return errorCodes.find((known) => known === code) ?? 'internal_error';
}
