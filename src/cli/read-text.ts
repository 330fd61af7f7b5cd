import { createReadStream } from 'node:fs';
import { DomainError, invalidField, messageOf } from '../lib/errors.ts';
import { PASSWORD_BYTES_MAX } from '../users/index.ts';
import { decodeUtf8, type Terminal } from './terminal.ts';

/** Largest catalogue file that is read. The catalogue has a lower limit, with an error of its own. */
export const CATALOGUE_BYTES_MAX = 16 * 1024 * 1024;
/** How long a download may take. */
const DOWNLOAD_MS = 60_000;

/** Reads a text file whole, or standard input for `-`. @throws `invalid_request` that says why it can't */
export async function readFile(
  path: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  if (path === '-') return terminal.readAll(maxBytes);
  try {
    return decodeUtf8(await readUpTo(createReadStream(path), maxBytes), path);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_request', `${path} can't be read: ${messageOf(error)}`);
  }
}

/**
 * Reads a file, standard input (`-`), or an http(s) address that the operator named.
 * @throws `invalid_request` that says why it can't
 */
export async function readSource(
  source: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, maxBytes, terminal);
  try {
    return decodeUtf8(await download(source, maxBytes), source);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const why = isLate ? `it took more than ${DOWNLOAD_MS / 1000} s` : messageOf(error);
    throw new DomainError('invalid_request', `${source} can't be downloaded: ${why}`);
  }
}

async function download(url: string, maxBytes: number): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DOWNLOAD_MS);
  const response = await fetch(url, { signal, headers: { accept: 'application/json, */*' } });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return readUpTo(response.body ?? [], maxBytes);
}

/** Counts what comes: a pipe has no size, and the length that a server states may be wrong. */
async function readUpTo(
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
 * Reads a password from standard input, without the line end after it.
 * @throws `invalid_request` for control characters, which nobody types
 */
export async function readPassword(terminal: Terminal): Promise<string> {
  const text = await terminal.readAll(PASSWORD_BYTES_MAX + '\r\n'.length);
  const password = text.replace(/\r?\n$/, '');
  // Usually the wrong file was piped in. A login in JSON would refuse U+0000.
  if (/\p{Cc}/u.test(password)) {
    throw invalidField('password', 'must be one line without control characters');
  }
  return password;
}
