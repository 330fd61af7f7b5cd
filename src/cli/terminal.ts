import { fstatSync, statSync, write } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import { DomainError, messageOf } from '../lib/errors.ts';

export interface Terminal {
  /** True when standard input and standard error are a terminal, so that a person can be asked. */
  readonly interactive: boolean;
  /** True when standard output is the null device, so that nobody can read the result. */
  readonly discards?: boolean;
  /** Writes data to standard output. Resolves when it has been taken, so that memory does not grow. */
  write(text: string): Promise<void>;
  writeError(text: string): Promise<void>;
  ask(question: string): Promise<string>;
  /** Reads standard input to its end. @throws `invalid_request` if it is longer, or not UTF-8 */
  readAll(maxBytes: number): Promise<string>;
}

const STDIN_FD = 0;
const STDOUT_FD = 1;
const STDERR_FD = 2;
/** Milliseconds between attempts to write to a full non-blocking pipe. */
const FULL_PIPE_MS = 5;

export const systemTerminal: Terminal = {
  get interactive() {
    return isatty(STDIN_FD) && isatty(STDERR_FD);
  },
  get discards() {
    return isNullDevice(STDOUT_FD);
  },
  write: (text) => writeTo(STDOUT_FD, text),
  writeError: (text) => writeTo(STDERR_FD, text),
  async ask(question) {
    await writeTo(STDERR_FD, question);
    const decoder = new TextDecoder();
    let line = '';
    // A terminal hands over one line at a time.
    for await (const chunk of Bun.stdin.stream()) {
      line += decoder.decode(chunk, { stream: true });
      if (line.includes('\n')) break;
    }
    return line.trim();
  },
  readAll: (maxBytes) => decoded('standard input', readUpTo(Bun.stdin.stream(), maxBytes)),
};

/** Asks a question; only a yes confirms. */
export async function confirms(terminal: Terminal, question: string): Promise<boolean> {
  return /^(y|yes|д|да)$/i.test(await terminal.ask(`${question} [y/N] `));
}

/** The runtime also replaces a closed stream with the null device. */
function isNullDevice(stream: number): boolean {
  try {
    const { rdev } = fstatSync(stream);
    return rdev !== 0 && rdev === statSync(devNull).rdev;
  } catch {
    return false;
  }
}

/**
 * Reads a whole stream. It counts the bytes that arrive: a pipe has no size, and the length that a server states may be
 * wrong.
 * @throws an error if it is longer
 */
export async function readUpTo(
  stream: AsyncIterable<unknown> | Iterable<unknown>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads bytes and decodes their text.
 * @param name of the source, for errors
 * @param verb what failed if it can't be read
 * @throws `invalid_request` that says why there is no text
 */
export async function decoded(
  name: string,
  reading: Promise<Uint8Array>,
  verb = 'read',
): Promise<string> {
  const bytes = await reading.catch((error: unknown) => {
    throw new DomainError('invalid_request', `${name} can't be ${verb}: ${messageOf(error)}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_request', `${name} is not valid UTF-8: save it as UTF-8`);
  }
}

/**
 * Writes at the stream's position. `Bun.write` reserves the length of a text beforehand, which in a file that is open
 * for appending leaves as many zero bytes before the text.
 */
async function writeTo(stream: number, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) {
    const written = await writeSome(stream, bytes.subarray(done));
    // Another process may have set the pipe to non-blocking.
    if (written === 0) await Bun.sleep(FULL_PIPE_MS);
    done += written;
  }
}

/** @returns the number of bytes written; 0 if the stream is full and non-blocking */
function writeSome(stream: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(stream, bytes, 0, bytes.length, null, (error, written) => {
      if (error === null) resolve(written);
      else if (error.code === 'EAGAIN') resolve(0);
      else reject(error);
    });
  });
}
