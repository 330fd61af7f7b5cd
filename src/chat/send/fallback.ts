import type { CatalogueModel } from '../../catalogue/index.ts';
import { TokenBudget, type FittedContext } from '../context/context.ts';
import { textsIn } from '../context/conversation.ts';
import type { SendInput } from './rules.ts';

/** What is sent, to the asked model or a fallback. */
interface Sent {
  input: SendInput;
  context: FittedContext;
}

/** May this fallback take the request as it was asked? Otherwise it is passed over. */
export function canFallBackTo(model: CatalogueModel, sent: Sent): boolean | Promise<boolean> {
  const { temperature, chatDepth } = sent.input;
  const isTaken =
    (chatDepth === 0 || model.chatAllowed) &&
    (temperature === undefined ||
      (temperature >= model.minTemperature && temperature <= model.maxTemperature));
  if (!isTaken) return false;
  return sent.context.inputTokensMax <= model.maxInputTokens || fits(model, sent);
}

/** By tokens where the bytes are too many, as if the fallback itself were asked. Counting takes its time. */
async function fits({ type, maxInputTokens }: CatalogueModel, sent: Sent): Promise<boolean> {
  for (const texts of type === 'TEXT' ? readTogether(sent) : [[sent.input.message]]) {
    if (!(await new TokenBudget(maxInputTokens).take(texts))) return false;
  }
  return true;
}

/** Texts that have to fit a model together: all of them, but for embeddings, which are read one by one. */
function readTogether({ input, context }: Sent): string[][] {
  const { conversation, embedding, systemPrompt, message } = input;
  if (conversation) return [textsIn(conversation)];
  if (embedding) return embedding.input.map((text) => [text]);
  const items = context.items.flatMap(({ request, response }) => [request, response]);
  return [[...(systemPrompt === '' ? [] : [systemPrompt]), ...items, message]];
}

/**
 * Warns when a fallback can write less than the caller asked for, which is still better than no answer. (A cap that the
 * asked model can't write was refused before.)
 * @returns a warning, or none
 */
export function loweredCap(served: CatalogueModel, input: SendInput): string[] {
  const { maxOutputTokens: most } = served;
  if (input.maxOutputTokens === undefined || input.maxOutputTokens <= most) return [];
  return [`max_output_tokens was lowered to ${most}, the maximum of the fallback that answered`];
}
