import { sha256Hex } from '../../lib/ids.ts';

/** The least length that a provider asks for; enough to tell the calls of a conversation apart. */
const ID_CHARACTERS = 9;

/**
 * The id of a tool call in the form that a provider takes: other providers, which answered earlier in the conversation,
 * make ids that it refuses. An id always becomes the same one, so that a result still belongs to its call.
 * @param form what the provider takes; undefined: anything
 */
export function callIdIn(form: RegExp | undefined, id: string): string {
  return form && !form.test(id) ? sha256Hex(id).slice(0, ID_CHARACTERS) : id;
}
