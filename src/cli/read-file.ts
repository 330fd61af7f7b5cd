import { DomainError, messageOf } from '../lib/errors.ts';
import type { Terminal } from './parts.ts';
import { decodeUtf8 } from './terminal.ts';

/** A text file whole, or standard input for `-`. @throws `invalid_request` saying why it can't be read */
export async function readFile(
  path: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  if (path === '-') return terminal.readAll(maxBytes);
  const file = Bun.file(path);
  try {
    if (file.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    return decodeUtf8(await file.bytes(), path);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_request', `${path} can't be read: ${messageOf(error)}`);
  }
}
