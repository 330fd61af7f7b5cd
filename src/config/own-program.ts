import { fileURLToPath } from 'node:url';
import { isCompiled } from '../lib/compiled.ts';

/** As in bin/zastava: settings and code come from nowhere else. */
const ALONE = ['--no-env-file', '--config=/dev/null'];

/** How this program is started from itself: the executable, and from the sources the file that it runs. */
export function ownProgram(): [string, ...string[]] {
  if (isCompiled) return [process.execPath];
  return [process.execPath, ...ALONE, fileURLToPath(new URL('../main.ts', import.meta.url))];
}
