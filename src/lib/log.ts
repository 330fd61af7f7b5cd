import { writeSync } from 'node:fs';
import pino from 'pino';
import { UnavailableError } from './errors.ts';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const STDERR_FD = 2;
/**
 * How often writing a line to a full pipe is attempted before the line is dropped, and the milliseconds between
 * attempts.
 */
const FULL_PIPE_ATTEMPTS = 20;
const FULL_PIPE_WAIT_MS = 5;
const NEWLINE = 0x0a;
const WARN = 40;
/**
 * Appended lines are written together: up to this many UTF-16 units, and at the latest after this time. They are ASCII,
 * and a pipe takes 4 KiB in one piece, so the lines of several processes do not mix.
 */
const APPENDED_UNITS_MAX = 4096;
const APPENDED_MS = 100;

/**
 * Writes one JSON object per line to standard error. Callers only log identifiers, codes and durations: never a prompt,
 * an answer, a password, a token or a provider's key. Logging never throws: a line that can't be written is dropped and
 * counted, since sends must not depend on a full log disk.
 * @param fd for tests
 * @param base fields of every line
 */
export function createLog(level: LogLevel, fd = STDERR_FD, base: object | null = null): Log {
  return pino(
    {
      level,
      base,
      timestamp: () => `,"time":"${isoTime()}"`,
      serializers: { err: errorFacts },
    },
    new LineWriter(fd),
  );
}

let isoAt = 0;
let iso = '';

/** The time of the wall clock, in the form that log lines have. */
export function isoTime(): string {
  const now = Date.now();
  if (now !== isoAt) {
    isoAt = now;
    iso = new Date(now).toISOString();
  }
  return iso;
}

interface Appendable {
  append?: (line: string) => void;
  write: (line: string) => void;
}

/**
 * Adds a line that is already complete, for lines that each request has. It is written a little later, together with
 * others, but before any later line of the log; `log.flush()` writes it now.
 */
export function appendLine(log: Log, line: string): void {
  const stream = (log as unknown as Record<symbol, Appendable>)[pino.symbols.streamSym];
  if (stream?.append) stream.append(line);
  else stream?.write(line);
}

export const silentLog: Log = pino({ level: 'silent' });

let linesLost = 0;

export function lostLogLines(): number {
  return linesLost;
}

class LineWriter {
  readonly #fd: number;
  /** Lines lost since the last successful write. */
  #lost = 0;
  /** The last line was only written in part: the next one starts on a new line. */
  #torn = false;
  #appended = '';
  #timer: Timer | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    this.flush();
    this.#write(line);
  }

  append(line: string): void {
    if (this.#appended.length + line.length > APPENDED_UNITS_MAX) this.flush();
    this.#appended += line;
    this.#timer ??= setTimeout(() => this.flush(), APPENDED_MS).unref();
  }

  flush(done?: () => void): void {
    const lines = this.#appended;
    if (lines !== '') {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#appended = '';
      this.#write(lines);
    }
    done?.();
  }

  #write(lines: string): void {
    if (this.#lost > 0 && this.#put(lossNotice(this.#lost)) === 0) this.#lost = 0;
    const missed = this.#lost > 0 ? newlinesIn(Buffer.from(lines)) : this.#put(lines);
    this.#lost += missed;
    linesLost += missed;
  }

  /** @returns how many of the lines were not written, or not completely */
  #put(lines: string): number {
    const bytes = Buffer.from(this.#torn ? `\n${lines}` : lines);
    let done = 0;
    // After a loss there are no further attempts: the fault may last.
    for (let attemptsLeft = this.#lost > 0 ? 0 : FULL_PIPE_ATTEMPTS; done < bytes.length;) {
      try {
        const written = writeSync(this.#fd, bytes, done);
        if (written === 0) break;
        done += written;
      } catch (error) {
        const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFullPipe || attemptsLeft-- === 0) break;
        Bun.sleepSync(FULL_PIPE_WAIT_MS);
      }
    }
    if (done > 0) this.#torn = bytes[done - 1] !== NEWLINE;
    return newlinesIn(bytes.subarray(done));
  }
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count++;
  return count;
}

function lossNotice(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: WARN, time, lost, msg: 'log lines before this one could not be written' })}\n`;
}

/**
 * Only the type, message, stack and codes of an error: errors of databases contain rows, and so users' texts. An outage
 * needs no stack: it says nothing about the cause, and there may be thousands of them.
 */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof UnavailableError) {
    const { name: type, message, reason } = error;
    return { type, message, reason };
  }
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { type, message, stack, code, errno };
}
