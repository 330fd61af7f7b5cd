import type { Conversation } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';

type ToolChoice = Conversation['options']['toolChoice'];

/**
 * Checks a choice of tools. If a call were demanded without any tool, the answer would have none, without a word about
 * it.
 * @throws `invalid_request` naming `tool_choice`
 */
export function choiceAmong(
  tools: readonly unknown[] | null | undefined,
  choice: ToolChoice,
): ToolChoice {
  const isForced = choice === 'required' || typeof choice === 'object';
  if (isForced && !tools?.length) {
    throw invalidField('tool_choice', 'demands a call, and there are no tools: send tools too');
  }
  return choice;
}
