import { toRubles } from '../../lib/money.ts';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import { writtenAnswer, type SendResult } from '../../chat/index.ts';
import { model, rubles } from '../schemas.ts';

export const sendResult = z
  .object({
    room_id: z.string(),
    id: z.int().meta({ description: 'Strictly growing within a room.' }),
    request: z.string(),
    response: z.string().meta({ description: "The answer, or the image's URL." }),
    cost_request: rubles,
    cost_response: rubles,
    ai: model,
    usage: z.object({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      total_tokens: z.int(),
      cached_tokens: z
        .int()
        .meta({
          description:
            "Tokens of the prompt that were read from the provider's cache, if it reports them.",
        })
        .optional(),
      cache_write_tokens: z.int().optional(),
      reasoning_tokens: z
        .int()
        .meta({
          description: 'Tokens of the completion that are reasoning, if the provider reports them.',
        })
        .optional(),
      source: z.enum(['provider', 'estimated']),
    }),
    finish_reason: z.string(),
    balance: rubles.meta({ description: 'After the charge.' }),
    context_used: z.int().meta({ description: 'Earlier messages that were sent along.' }),
    seed: z.number().nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SendResult' });

/** Parts of the counts, where the provider told them. */
function tokenKinds({
  cachedTokens: cached,
  cacheWriteTokens: written,
  reasoningTokens: thought,
}: SendResult) {
  return {
    ...(cached != null && { cached_tokens: cached }),
    ...(written != null && { cache_write_tokens: written }),
    ...(thought != null && { reasoning_tokens: thought }),
  };
}

type SendResultView = z.input<typeof sendResult>;

/** The specification's Send result. */
export function sendResultView(
  catalogue: Catalogue,
  result: SendResult,
): SendResultView | Promise<SendResultView> {
  const ai = catalogue.versionView(result.versionId);
  return ai instanceof Promise ? ai.then((view) => viewOf(result, view)) : viewOf(result, ai);
}

function viewOf(result: SendResult, ai: SendResultView['ai']): SendResultView {
  return {
    room_id: result.roomId,
    id: result.id,
    request: result.request,
    response: writtenAnswer(result.response, result.toolCalls),
    cost_request: toRubles(result.costRequest),
    cost_response: toRubles(result.costResponse),
    ai,
    usage: {
      prompt_tokens: result.promptTokens,
      completion_tokens: result.completionTokens,
      total_tokens: result.totalTokens,
      ...tokenKinds(result),
      source: result.usageSource,
    },
    finish_reason: result.finishReason,
    balance: toRubles(result.balance),
    context_used: result.contextUsed,
    seed: result.seed,
    warnings: result.warnings,
  };
}
