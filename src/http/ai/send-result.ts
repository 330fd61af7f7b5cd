import { toRubles } from '../../lib/money.ts';
import { z } from 'zod';
import { recordOf, reportedParts, tokenParts } from '../../lib/units.ts';
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
      ...recordOf(
        tokenParts,
        ({ column }) => column,
        ({ meaning }) =>
          z
            .int()
            .meta({ description: `Number of ${meaning}, if the provider reports it.` })
            .optional(),
      ),
      source: z.enum(['provider', 'estimated']),
    }),
    finish_reason: z.string(),
    balance: rubles.meta({ description: 'After the charge.' }),
    context_used: z.int().meta({ description: 'Earlier messages that were sent along.' }),
    seed: z.number().nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SendResult' });

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
      prompt_tokens: result.usage.promptTokens,
      completion_tokens: result.usage.completionTokens,
      total_tokens: result.usage.totalTokens,
      ...reportedParts(result.usage),
      source: result.usage.source,
    },
    finish_reason: result.finishReason,
    balance: toRubles(result.balance),
    context_used: result.contextUsed,
    seed: result.seed,
    warnings: result.warnings,
  };
}
