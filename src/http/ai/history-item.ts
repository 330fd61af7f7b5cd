import { toRubles } from '../../lib/money.ts';
import { z } from 'zod';
import { recordOf, tokenCounts } from '../../lib/units.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { messageStates, type HistoryItem } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { digits, model, rubles } from '../schemas.ts';

const usageFields = tokenCounts.map(({ count, column, meaning }) => {
  return { count, field: `usage_${column}` as const, meaning };
});
type UsageField = (typeof usageFields)[number]['field'];

export const historyItem = z
  .object({
    message_id: z.string().meta({ description: 'The `id` of the send, digits as text.' }),
    message_id_reply: z.string().meta({ description: "The provider's id of the answer." }),
    system_prompt: z.string(),
    request: z.string(),
    response: z.string(),
    ai: model,
    response_at: z
      .string()
      .meta({ description: 'Unix seconds, digits as text; empty without an answer.' }),
    created_at: z.string().meta({ description: 'Unix seconds, digits as text.' }),
    ...recordOf(
      usageFields,
      ({ field }) => field,
      ({ meaning }) =>
        z
          .string()
          .meta({ description: `Number of ${meaning}, digits as text; empty when unknown.` }),
    ),
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

/** The specification's history item. A missing value is an empty text. */
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
    ...usageView(item),
    state: item.state,
    usage_source: item.usageSource ?? '',
    finish_reason: item.finishReason ?? '',
    error_code: item.errorCode ?? '',
    cost_request: toRubles(item.costRequest),
    cost_response: toRubles(item.costResponse),
  };
}

function usageView(item: HistoryItem): Record<UsageField, string> {
  const view: Partial<Record<UsageField, string>> = {};
  for (const { field, count } of usageFields) view[field] = digits(item[count]);
  return view as Record<UsageField, string>;
}
