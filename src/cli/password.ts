import { invalidField } from '../lib/errors.ts';
import { PASSWORD_BYTES_MAX } from '../users/index.ts';
import type { Terminal } from './terminal.ts';

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
