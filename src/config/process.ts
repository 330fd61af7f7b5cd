/** The process: its program, its signals and its end. Only this folder and `main.ts` touch it. */
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { systemClock, type Clock } from '../lib/clock.ts';
import { isCompiled } from '../lib/compiled.ts';

const EXIT_FAILED = 1;
const STDIN_FD = 0;
/** Within this time the same signal counts as a repetition of the first one. */
const REPEAT_MS = 2_000;
/** As in bin/zastava: takes no settings and no code from files of the current folder. */
const ALONE = ['--no-env-file', '--config=/dev/null'];

/** The users of the system; users of a directory service are not in it. */
const USERS_FILE = '/etc/passwd';

/**
 * The user who runs this process. The runtime takes the name from the environment, which anyone can set, so it is
 * looked up by number where possible.
 */
export function systemUser(): string {
  const { uid, username } = userInfo();
  const lines = existsSync(USERS_FILE) ? readFileSync(USERS_FILE, 'utf8').split('\n') : [];
  const [name] =
    lines.map((line) => line.split(':')).find((fields) => fields[2] === `${uid}`) ?? [];
  return name ?? `${username} (uid ${uid})`;
}

export function exitNow(code: number): never {
  process.exit(code);
}

/** Runs this last whenever the process ends, unless it is killed. @param work may not wait */
export function atExit(work: () => void): void {
  process.on('exit', work);
}

/** Resolves with the first SIGTERM or SIGINT; a second one ends the process at once, unless it repeats the first. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const effectOf = signalEffects(systemClock);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        const effect = effectOf(signal);
        if (effect === 'end') process.exit(EXIT_FAILED);
        if (effect === 'stop') resolve();
      });
    }
  });
}

/**
 * Calls `work` at each SIGHUP. Leaves the signal alone if the process was started with SIGHUP ignored, as by `nohup`,
 * and on systems other than Linux, where that can't be found out.
 */
export function onHangUp(work: () => void): void {
  if (!ignoresHangUp()) process.on('SIGHUP', work);
}

/** Resolves with the first SIGHUP; further ones have no effect. See `onHangUp`. */
export function hangUp(): Promise<void> {
  return new Promise((resolve) => onHangUp(resolve));
}

/**
 * Whether standard input is a terminal, which sends SIGHUP when it closes. Call it at the start: a closed terminal does
 * not count.
 */
export function inTerminal(): boolean {
  return isatty(STDIN_FD);
}

/** Whether SIGHUP is ignored, or may be. */
function ignoresHangUp(): boolean {
  const status = '/proc/self/status';
  if (!existsSync(status)) return true;
  const [, lastDigit = ''] = /^SigIgn:\s*\w*(\w)$/m.exec(readFileSync(status, 'utf8')) ?? [];
  // One bit for each signal; SIGHUP is the first.
  return (Number.parseInt(lastDigit, 16) & 1) !== 0;
}

/**
 * Decides what each signal of a process does. The first asks for a stop. The same signal within 2 s is a repetition: a
 * terminal sends a Ctrl-C to npm and to the server, and npm passes its own on. Any other signal ends the process.
 */
export function signalEffects(clock: Clock): (signal: string) => 'stop' | 'repeat' | 'end' {
  let first: { signal: string; at: number } | undefined;
  return (signal) => {
    if (!first) {
      first = { signal, at: clock.monotonic() };
      return 'stop';
    }
    const isRepeat = signal === first.signal && clock.monotonic() - first.at < REPEAT_MS;
    return isRepeat ? 'repeat' : 'end';
  };
}

/** Runs long work whose signal is aborted by the first SIGTERM or SIGINT. */
export function untilStopRequested<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  void stopRequested().then(() => stop.abort());
  return work(stop.signal);
}

/** Ends a command together with the server that started it: nobody else could stop it or read its result. */
export function exitWithParent(): void {
  if (process.connected) process.once('disconnect', () => process.exit(EXIT_FAILED));
}

/** The other end of a process that this one started, or was started by. */
export interface Channel {
  send(message: unknown): void;
  /** @param take called with each message */
  onMessage(take: (message: unknown) => void): void;
  /** Resolves when the other process has ended, in whatever way. */
  closed: Promise<void>;
}

/**
 * The channel to the process that started this one. @returns undefined if a person, or a program without a channel,
 * started it
 */
export function parentChannel(): Channel | undefined {
  if (!process.connected) return undefined;
  // With only a listener for `disconnect`, the runtime drops messages: they wait here until somebody takes them.
  const early: unknown[] = [];
  let give = (message: unknown): void => void early.push(message);
  process.on('message', (message) => give(message));
  return {
    // The parent may end at any moment; `closed` resolves then.
    send: (message) => void (process.connected && process.send?.(message)),
    onMessage(take) {
      give = take;
      for (const message of early.splice(0)) take(message);
    },
    closed: new Promise((resolve) => process.once('disconnect', () => resolve())),
  };
}

/**
 * Ends the process after an unhandled error: its state may be wrong. The next start closes open messages.
 * @param report called first
 */
export function exitOnUnhandled(report: (error: unknown) => void): void {
  const end = (error: unknown): never => {
    report(error);
    process.exit(EXIT_FAILED);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/** The command line that starts this program again. */
export function ownProgram(): [string, ...string[]] {
  if (isCompiled) return [process.execPath];
  return [process.execPath, ...ALONE, fileURLToPath(new URL('../main.ts', import.meta.url))];
}

/** The folder of the checkout; for an executable that was copied elsewhere, the parent of its own folder. */
export function programFolder(): string {
  const program = isCompiled ? process.execPath : import.meta.dir;
  return dirname(dirname(program));
}

/** The folder from which, upwards, packages that the operator installed are looked up. */
export function packagesFolder(): string {
  return isCompiled ? dirname(process.execPath) : import.meta.dir;
}
