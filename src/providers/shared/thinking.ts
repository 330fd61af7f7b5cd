import type { TextRequest } from '../spec.ts';

/** Models that think by default and show nothing of it: OpenAI's from o1 and GPT-5 on, Grok 4, Gemini from 2.5 on. */
const thinkers =
  /(?:^|\/)(?:o[1-9](?:-|$)|gpt-(?:[5-9]|\d\d)(?!.*chat)|grok-[4-9](?!.*non-reasoning)|gemini-(?:2\.5|[3-9]))/;
/** Models that always think; see also the choice of tools in `anthropic/request.ts`. */
const claudeThinkers = /^claude-(?:(?:opus|sonnet)-5-5|(?:fable|mythos)-5-1)(?!\d)/;

/**
 * Whether a model makes tokens that its stream does not show, before the stream itself shows it.
 * @returns undefined if neither the kind of the provider nor the model's name tells
 */
export function thinksUnseen(
  kind: string,
  { model, reasoningEffort: effort }: Pick<TextRequest, 'model' | 'reasoningEffort'>,
): boolean | undefined {
  if (kind === 'sandbox') return false;
  // A server may ignore the effort `none`, so it proves nothing.
  if (effort !== undefined && effort !== 'none') return true;
  // Neither thinks by default. A stream of Anthropic's says so when a model begins to think.
  if (kind === 'anthropic') return claudeThinkers.test(model);
  if (kind === 'gigachat') return false;
  return thinkers.test(model) ? true : undefined;
}
