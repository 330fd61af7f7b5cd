import type { Omissions } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';

/** GPT-5.4 and later, except those that do not reason (`gpt-5.5-chat-latest`). */
const recent = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])(?!.*chat)/;
/** GPT-5.5 and later reason by default. */
const reasonsByDefault = /^gpt-(?:5\.(?:[5-9]|\d\d)|[6-9])/;

/**
 * The reasoning effort to send. For its recent models, OpenAI's chat completions accept tools only with the
 * effort `none`. A call without an effort is refused too if the model reasons by default.
 */
export function effortOf(
  { model, tools = [], reasoningEffort: effort }: TextRequest,
  { reasonsWithTools }: ServerTraits,
  omissions: Omissions,
): string | undefined {
  if (reasonsWithTools || tools.length === 0 || effort === 'none' || !recent.test(model)) {
    return effort;
  }
  const why = 'OpenAI accepts tools for this model only with the reasoning effort none.';
  if (effort !== undefined) omissions.add('reasoningEffort', why);
  else if (reasonsByDefault.test(model)) omissions.warnings.push(`${why} The call used none.`);
  else return undefined;
  return 'none';
}
