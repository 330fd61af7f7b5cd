import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { userInfo } from 'node:os';
import { ConfigError } from './config.ts';

const DENIED = new Set(['EACCES', 'EPERM']);

/**
 * What to do about a file that this user may not use: mostly a command was run as another user than the server.
 * @param path the file, where the error does not name one
 * @returns undefined when the error is of another kind, or names no file
 */
export function deniedProblem(error: unknown, path?: string): ConfigError | undefined {
  const { code = '', path: told } = error as NodeJS.ErrnoException;
  const file = path ?? told;
  if (!DENIED.has(code) || file === undefined) return undefined;
  const owner = ownerOf(file);
  const belongs = owner === undefined ? '' : ` (it belongs to user ${owner})`;
  return new ConfigError(
    `${file}: user ${process.getuid?.() ?? ownName()} may not use it${belongs}: run this as the user that the server runs as, or give that user the whole data directory with chown -R`,
    { cause: error },
  );
}

/** Of what is nearest to the file: where it can't be seen, of the first directory above that can. */
function ownerOf(path: string): number | undefined {
  for (let at = path; ; at = dirname(at)) {
    try {
      return statSync(at).uid;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

function ownName(): string {
  return userInfo().username;
}
