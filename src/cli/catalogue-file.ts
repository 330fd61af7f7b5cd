/** What the command line prints about a catalogue file before it applies it. */
import { bindingsOf, type Catalogue, type CatalogueFile } from '../catalogue/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { Output } from './output.ts';

/** The effect of the option `--allow-unset`. */
export const ALLOW_UNSET = 'apply it although variables that it refers to are not set here';

/**
 * Prints the warnings about a file.
 * @returns the variables that it refers to but that are not set
 * @throws `invalid_request` if there are any, unless the operator allowed it
 */
export async function checkFile(
  catalogue: Catalogue,
  file: CatalogueFile,
  { allowUnset = false, output }: { allowUnset: boolean | undefined; output: Output },
): Promise<readonly string[]> {
  for (const warning of file.warnings) await output.warn(warning);
  const unset = catalogue.unsetIn(file);
  if (!allowUnset && unset.length > 0) {
    throw new DomainError(
      'invalid_request',
      `not set here: ${unset.join(', ')}. Nothing was applied: set it in the environment, or add --allow-unset if only the server has it`,
    );
  }
  for (const name of unset) {
    await output.warn(`${name} is not set here: a server needs it in its environment to start`);
  }
  return unset;
}

/** The hosts to which applying a file binds each variable, one line for each variable. */
export function bindingLines({ providers }: CatalogueFile): string[] {
  return [...bindingsOf(providers)].map(([name, hosts]) => `binds ${name} to ${hosts.join(', ')}`);
}
