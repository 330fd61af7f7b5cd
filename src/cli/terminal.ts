import { isatty } from 'node:tty';
import { DomainError } from '../lib/errors.ts';
import type { Terminal } from './parts.ts';

const STDIN_FD = 0;
const STDERR_FD = 2;

/** The streams of this process. */
export const systemTerminal: Terminal = {
  get interactive() {
    return isatty(STDIN_FD) && isatty(STDERR_FD);
  },
  write: (text) => writeTo(Bun.stdout, text),
  tell: (text) => writeTo(Bun.stderr, text),
  async ask(question) {
    await writeTo(Bun.stderr, question);
    const decoder = new TextDecoder();
    let line = '';
    // A terminal hands over a line at a time.
    for await (const chunk of Bun.stdin.stream()) {
      line += decoder.decode(chunk, { stream: true });
      if (line.includes('\n')) break;
    }
    return line.trim();
  },
  async readAll(maxBytes) {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of Bun.stdin.stream()) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new DomainError('invalid_request', `standard input: more than ${maxBytes} bytes`);
      }
      chunks.push(chunk);
    }
    return decodeUtf8(Buffer.concat(chunks), 'standard input');
  },
};

/** @param name what the bytes are called in the error @throws `invalid_request` when they are no UTF-8 */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_request', `${name} is not valid UTF-8: save it as UTF-8`);
  }
}

async function writeTo(stream: Bun.BunFile, text: string): Promise<void> {
  await Bun.write(stream, text);
}
