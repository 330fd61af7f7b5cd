import { createReadStream } from 'node:fs';
import { invalidField } from '../lib/errors.ts';
import { PASSWORD_BYTES_MAX } from '../users/index.ts';
import { decoded, readUpTo, type Terminal } from './terminal.ts';

/** The largest catalogue file that is read. The catalogue has a lower limit, with its own error. */
export const CATALOGUE_BYTES_MAX = 16 * 1024 * 1024;
const DOWNLOAD_MS = 60_000;

/** Reads a whole text file, or standard input for `-`. @throws `invalid_request` that says why it can't */
export function readFile(path: string, maxBytes: number, terminal: Terminal): Promise<string> {
  if (path === '-') return terminal.readAll(maxBytes);
  return decoded(path, readUpTo(createReadStream(path), maxBytes));
}

/**
 * Reads a file, standard input (`-`), or an http(s) URL that the operator gave.
 * @throws `invalid_request` that says why it can't
 */
export function readSource(source: string, maxBytes: number, terminal: Terminal): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, maxBytes, terminal);
  return decoded(source, download(source, maxBytes), 'downloaded');
}

async function download(url: string, maxBytes: number): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DOWNLOAD_MS);
  try {
    const response = await fetch(url, { signal, headers: { accept: 'application/json, */*' } });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return await readUpTo(response.body ?? [], maxBytes);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`it took more than ${DOWNLOAD_MS / 1000} s`, { cause: error });
  }
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
