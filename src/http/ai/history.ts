import { z } from 'zod';
import {
  type History,
  type HistoryItem,
  imageUrlsOf,
  messageStates,
  replacedBy,
} from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { toRubles } from '../../lib/money.ts';
import { recordOf, tokenCounts } from '../../lib/units.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { HISTORIES_PER_MINUTE } from '../read-limits.ts';
import { exampleRoom, idGiven, model, named, roomId, rubles } from '../schemas.ts';

const usageFields = tokenCounts.map(({ count, column, meaning }) => {
  return { count, field: `usage_${column}` as const, meaning };
});
type UsageField = (typeof usageFields)[number]['field'];

const historyItem = named('HistoryItem', {
  message_id: z.string().describe('The `id` of the send, digits as text.'),
  message_id_reply: z.string().describe("The provider's id of the answer."),
  system_prompt: z.string(),
  request: z.string(),
  images: z.array(z.string()).describe('The URLs of the images that were sent with the request.'),
  response: z.string(),
  ai: model,
  response_at: z.string().describe('Unix seconds, digits as text; empty without an answer.'),
  created_at: z.string().describe('Unix seconds, digits as text.'),
  ...recordOf(usageFields, 'field', ({ meaning }) =>
    z.string().describe(`Number of ${meaning}, digits as text; empty when unknown.`),
  ),
  state: z.enum(messageStates),
  usage_source: z.string(),
  replaces: z
    .string()
    .describe(
      'The message whose place it takes (`context_before`); empty without one. Several tries all name the first message.',
    ),
  finish_reason: z.string(),
  error_code: z.string(),
  cost_request: rubles,
  cost_response: rubles,
});

type ViewParts = Pick<OperationParts, 'catalogue' | 'images'>;

/** The specification's history item. A missing value is an empty text. */
async function historyItemView(
  { catalogue, images }: ViewParts,
  item: HistoryItem,
  host: string | null,
): Promise<z.input<typeof historyItem>> {
  return {
    message_id: String(item.id),
    message_id_reply: item.providerMessageId ?? '',
    system_prompt: item.systemPrompt,
    request: item.request,
    images: imageUrlsOf(item, (id) => images.urlFor(images.url(id), host)),
    response: item.imageId === null ? item.response : images.urlFor(images.url(item.imageId), host),
    ai: await catalogue.versionView(item.versionId),
    response_at: item.respondedAt === null ? '' : String(toUnixSeconds(item.respondedAt)),
    created_at: String(toUnixSeconds(item.createdAt)),
    ...usageView(item),
    state: item.state,
    usage_source: item.usageSource ?? '',
    replaces: String(replacedBy(item.parameters) ?? ''),
    finish_reason: item.finishReason ?? '',
    error_code: item.errorCode ?? '',
    cost_request: toRubles(item.costRequest),
    cost_response: toRubles(item.costResponse),
  };
}

function usageView(item: HistoryItem): Record<UsageField, string> {
  return recordOf(usageFields, 'field', ({ count }) => String(item[count] ?? ''));
}

export const historyOperation = (parts: OperationParts) =>
  userOperation({
    path: '/ai/history/',
    right: 'chat',
    summary: 'Read the history of a room',
    description:
      'Messages with an answer, including stopped ones, oldest first. All of them, unless `limit` is given.',
    body: z.object({
      room_id: roomId.nullable().describe('null: the room that you used last.'),
      include_failed: z.boolean().nullish().describe('true: also messages without an answer.'),
      limit: z.int().min(1).nullish().describe('Only this many of the newest messages.'),
      before: idGiven.nullish().describe('Only messages before this message_id.'),
    }),
    example: { room_id: exampleRoom },
    result: z.object({ room_id: z.string(), data: z.array(historyItem) }),
    errors: ['room_not_found'],
    slow: true,
    callsPerMinute: HISTORIES_PER_MINUTE,
    handle: async (body, { caller, request }) => {
      const { roomId: id, pages } = await parts.history.read(caller.userId, {
        roomId: body.room_id,
        includeFailed: body.include_failed ?? false,
        limit: body.limit ?? undefined,
        before: body.before ?? undefined,
      });
      const host = request.headers.get('host');
      return parts.streams.json(caller.userId, historyJson(id, pages, parts, host));
    },
  });

type Pages = Awaited<ReturnType<History['read']>>['pages'];

/** Characters of JSON that are collected before they are handed over. */
const PIECE_CHARS = 64 * 1024;

/** In pieces, so that a large room does not fill the memory. */
async function* historyJson(
  id: string,
  pages: Pages,
  parts: ViewParts,
  host: string | null,
): AsyncGenerator<string> {
  let separator = '';
  let text = `{"room_id":${JSON.stringify(id)},"data":[`;
  for await (const page of pages) {
    for (const item of page) {
      text += separator + JSON.stringify(await historyItemView(parts, item, host));
      separator = ',';
      if (text.length < PIECE_CHARS) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}]}`;
}
