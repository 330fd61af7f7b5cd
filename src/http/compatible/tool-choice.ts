import type { Conversation } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';

type ToolChoice = Conversation['options']['toolChoice'];

/**
 * Checks a choice of tools. A forced call without tools would be ignored silently.
 * @throws `invalid_request` that names `tool_choice`
 */
export function choiceAmong(
  tools: readonly unknown[] | null | undefined,
  choice: ToolChoice,
): ToolChoice {
  const isForced = choice === 'required' || typeof choice === 'object';
  if (isForced && !tools?.length) {
    throw invalidField('tool_choice', 'requires a call, but there are no tools: send tools too');
  }
  return choice;
}
