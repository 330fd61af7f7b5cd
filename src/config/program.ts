import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCompiled } from '../lib/compiled.ts';

/** As in bin/zastava: no settings and no code from files of the current folder. */
const ALONE = ['--no-env-file', '--config=/dev/null'];

/** The command line that starts this program again. */
export function ownProgram(): [string, ...string[]] {
  if (isCompiled) return [process.execPath];
  return [process.execPath, ...ALONE, fileURLToPath(new URL('../main.ts', import.meta.url))];
}

/** The folder from which, upwards, packages are looked for that the operator installed. */
export function packagesFolder(): string {
  return isCompiled ? dirname(process.execPath) : import.meta.dir;
}
