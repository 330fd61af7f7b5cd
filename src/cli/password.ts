import { invalidField } from '../lib/errors.ts';
import { PASSWORD_BYTES_MAX } from '../users/index.ts';
import type { Terminal } from './terminal.ts';

/**
 * A password from standard input; one line end after it is not part of it.
 * @throws `invalid_request` when it holds what nobody types
 */
export async function readPassword(terminal: Terminal): Promise<string> {
  const text = await terminal.readAll(PASSWORD_BYTES_MAX + '\r\n'.length);
  const password = text.replace(/\r?\n$/, '');
  // No keyboard has them: mostly the wrong file was piped in. A login in JSON would refuse U+0000.
  if (/\p{Cc}/u.test(password)) {
    throw invalidField('password', 'must be one line without control characters');
  }
  return password;
}
