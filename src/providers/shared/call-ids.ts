import { sha256Hex } from '../../lib/ids.ts';

/** Mistral accepts no other length; it is enough to distinguish the calls of a conversation. */
const ID_CHARACTERS = 9;

/**
 * The id of a tool call in a form that the provider accepts: another provider, which answered earlier in the
 * conversation, may have made one that it refuses. The same id always becomes the same one, so that a call and its result
 * still match.
 * @param form the ids that the provider accepts; undefined: any
 */
export function callIdIn(form: RegExp | undefined, id: string): string {
  return form && !form.test(id) ? sha256Hex(id).slice(0, ID_CHARACTERS) : id;
}
