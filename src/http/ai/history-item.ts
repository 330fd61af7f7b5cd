import { toRubles } from '../../lib/money.ts';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import { messageStates, type HistoryItem } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { digits, model, rubles } from '../schemas.ts';

const digitsAsText = z.string().meta({ description: 'Digits as text; empty when unknown.' });

export const historyItem = z
  .object({
    message_id: z.string().meta({ description: 'The `id` of the send, digits as text.' }),
    message_id_reply: z.string().meta({ description: "The provider's own id of the answer." }),
    system_prompt: z.string(),
    request: z.string(),
    response: z.string(),
    ai: model,
    response_at: z
      .string()
      .meta({ description: 'Unix seconds, digits as text; empty without an answer.' }),
    created_at: z.string().meta({ description: 'Unix seconds, digits as text.' }),
    usage_prompt_tokens: digitsAsText,
    usage_completion_tokens: digitsAsText,
    usage_total_tokens: digitsAsText,
    usage_cached_tokens: digitsAsText.meta({
      description:
        "Tokens of the prompt that were read from the provider's cache; empty if it reports none.",
    }),
    usage_cache_write_tokens: digitsAsText.meta({
      description:
        "Tokens of the prompt that were written into the provider's cache; empty if it reports none.",
    }),
    usage_reasoning_tokens: digitsAsText.meta({
      description:
        'Tokens of the completion that are reasoning; empty if the provider reports none.',
    }),
    state: z.enum(messageStates),
    usage_source: z.string(),
    finish_reason: z.string(),
    error_code: z.string(),
    cost_request: rubles,
    cost_response: rubles,
  })
  .meta({ id: 'HistoryItem' });

export interface HistoryViewParts {
  catalogue: Catalogue;
  imageUrl: (imageId: string) => string;
}

/** The specification's history item; what there is none of is empty text. */
export async function historyItemView(
  { catalogue, imageUrl }: HistoryViewParts,
  item: HistoryItem,
): Promise<z.input<typeof historyItem>> {
  return {
    message_id: String(item.id),
    message_id_reply: item.providerMessageId ?? '',
    system_prompt: item.systemPrompt,
    request: item.request,
    response: item.imageId === null ? item.response : imageUrl(item.imageId),
    ai: await catalogue.versionView(item.versionId),
    response_at: item.respondedAt === null ? '' : String(toUnixSeconds(item.respondedAt)),
    created_at: String(toUnixSeconds(item.createdAt)),
    usage_prompt_tokens: digits(item.promptTokens),
    usage_completion_tokens: digits(item.completionTokens),
    usage_total_tokens: digits(item.totalTokens),
    usage_cached_tokens: digits(item.cachedTokens),
    usage_cache_write_tokens: digits(item.cacheWriteTokens),
    usage_reasoning_tokens: digits(item.reasoningTokens),
    state: item.state,
    usage_source: item.usageSource ?? '',
    finish_reason: item.finishReason ?? '',
    error_code: item.errorCode ?? '',
    cost_request: toRubles(item.costRequest),
    cost_response: toRubles(item.costResponse),
  };
}
