import { createReadStream } from 'node:fs';
import { DomainError, messageOf } from '../lib/errors.ts';
import { decodeUtf8, type Terminal } from './terminal.ts';

/** A text file whole, or standard input for `-`. @throws `invalid_request` saying why it can't be read */
export async function readFile(
  path: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  if (path === '-') return terminal.readAll(maxBytes);
  try {
    return decodeUtf8(await readUpTo(path, maxBytes), path);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_request', `${path} can't be read: ${messageOf(error)}`);
  }
}

/** It may be a pipe, which has no size before its end. */
async function readUpTo(path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
