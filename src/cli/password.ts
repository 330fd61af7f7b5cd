import { PASSWORD_BYTES_MAX } from '../users/index.ts';
import type { Terminal } from './parts.ts';

/** A password from standard input; one line end after it is not part of it. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const text = await terminal.readAll(PASSWORD_BYTES_MAX + '\r\n'.length);
  return text.replace(/\r?\n$/, '');
}
