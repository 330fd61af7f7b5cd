import type { LeftOut } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';

/** GPT-5.4 and later, but for those that do not reason at all (`gpt-5.5-chat-latest`). */
const recent = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])(?!.*chat)/;
/** Those of them that reason unless they are told not to. */
const reasonsUnasked = /^gpt-(?:5\.(?:[5-9]|\d\d)|[6-9])/;

/**
 * The effort as it is sent. OpenAI's chat completions take tools for its recent models with the effort `none`
 * only, and refuse the call otherwise, even one that names no effort to a model that reasons by itself.
 */
export function effortOf(
  { model, tools = [], reasoningEffort: effort }: TextRequest,
  { reasonsWithTools }: ServerTraits,
  leftOut: LeftOut,
): string | undefined {
  if (reasonsWithTools || tools.length === 0 || effort === 'none' || !recent.test(model)) {
    return effort;
  }
  const why = 'OpenAI takes tools for this model with the reasoning effort none only.';
  if (effort !== undefined) leftOut.add('reasoningEffort', why);
  else if (reasonsUnasked.test(model)) leftOut.warnings.push(`${why} It was called with none.`);
  else return undefined;
  return 'none';
}
