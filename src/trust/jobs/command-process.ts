import { spawn, type ChildProcessWithoutNullStreams, type StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { DomainError, errorCodes } from '../../lib/errors.ts';
import type { JsonLine, ProgressView } from '../../lib/json-line.ts';

/** Milliseconds between SIGTERM and SIGKILL. */
const KILL_AFTER_MS = 3_000;

/** How this program is started: the executable, and the arguments that come before those of a command. */
export interface OwnProgram {
  program: readonly [string, ...string[]];
  env: Readonly<Record<string, string | undefined>>;
}

export interface CommandListener {
  onProgress: (progress: ProgressView) => void;
  onWarning: (warning: string) => void;
}

/**
 * Runs a command of this program in a separate process, so that its memory, CPU time and crashes do not affect the
 * server.
 * @param signal ends the process, by force after `KILL_AFTER_MS`
 * @returns the output of the command, parsed as JSON
 * @throws DomainError that the command reported, or Error if the process ended without reporting one
 */
export async function runCommand(
  { program: [file, ...before], env }: OwnProgram,
  { words, input }: { words: readonly string[]; input: string },
  signal: AbortSignal,
  listener: CommandListener,
): Promise<unknown> {
  // The ipc channel carries no messages: it closes when this process ends in any way, which ends the command.
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
    // A process that has ended reads no input; the code below reports its exit.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ends = [text(child.stdout), listen(child, listener), endOf(child)] as const;
    const [printed, refusal, how] = await Promise.all(ends);
    if (how === 'exit 0') return JSON.parse(printed) as unknown;
    if (refusal) throw refusal;
    // The system kills a process when memory runs out.
    const advice = how === 'SIGKILL' ? ': if memory ran out, set a smaller memory_mib' : '';
    throw new Error(`its process ended without reporting an error (${how})${advice}`);
  } finally {
    clearTimeout(killing);
    signal.removeEventListener('abort', end);
  }
}

/** @returns `exit 1`, or the signal that ended it @throws if it could not be started */
function endOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
}

/** @returns the error that the command reported, if any */
async function listen(
  { stderr }: ChildProcessWithoutNullStreams,
  { onProgress, onWarning }: CommandListener,
): Promise<DomainError | undefined> {
  let refusal: DomainError | undefined;
  for await (const line of createInterface({ input: stderr })) {
    const { progress, warning, error } = reportIn(line);
    if (progress) onProgress(progress);
    if (warning !== undefined) onWarning(warning);
    if (!error) continue;
    // Some codes of the command line do not exist in HTTP.
    const code = errorCodes.find((known) => known === error.code) ?? 'internal_error';
    refusal = new DomainError(code, error.message);
  }
  return refusal;
}

/** Log lines of the command are mixed in; they have none of these fields. */
function reportIn(line: string): JsonLine {
  try {
    return (JSON.parse(line) ?? {}) as JsonLine;
  } catch {
    return {};
  }
}
