/** What the command line says about the environment variables of a catalogue file. */
import { DomainError } from '../lib/errors.ts';
import type { Output } from './output.ts';

/** What the option `--allow-unset` does. */
export const ALLOW_UNSET = 'apply it although variables that it refers to are not set here';

/**
 * @param unset variables that the file refers to and that are not set here
 * @throws `invalid_request` unless the operator allowed it
 */
export async function checkUnset(
  unset: readonly string[],
  { allowUnset, output }: { allowUnset: boolean; output: Output },
): Promise<void> {
  for (const name of allowUnset ? unset : []) {
    await output.warn(`${name} is not set here: a server needs it in its environment to start`);
  }
  if (allowUnset || unset.length === 0) return;
  throw new DomainError(
    'invalid_request',
    `not set here: ${unset.join(', ')}. Nothing was applied: set it in the environment, or add --allow-unset if only the server has it`,
  );
}

/** Says to which hosts a variable is bound. */
export function bindingLine([name, hosts]: readonly [string, readonly string[]]): string {
  return `binds ${name} to ${hosts.join(', ')}`;
}
