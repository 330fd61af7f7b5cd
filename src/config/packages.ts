import { dirname } from 'node:path';
import { isCompiled } from '../lib/compiled.ts';

/**
 * The folder from which packages that the operator installed are looked for, upwards: of the sources, or of
 * the compiled executable.
 */
export function packagesFolder(): string {
  return isCompiled ? dirname(process.execPath) : import.meta.dir;
}
