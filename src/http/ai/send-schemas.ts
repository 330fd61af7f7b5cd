import { z } from 'zod';
import { TEMPERATURE_MAX } from '../../catalogue/index.ts';
import { type SendInput, type SendResult, writtenAnswer } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import { recordOf, reportedParts, partCounts } from '../../lib/units.ts';
import { refusalsFor } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { UserCall } from '../operation.ts';
import { traceparentOf } from '../request-facts.ts';
import { exampleRoom, idGiven, model, named, roomId, rubles } from '../schemas.ts';

const IMAGES_MAX = 10;
/** Characters of a URL, which is stored; data: URLs are limited by the body's size. */
const ADDRESS_MAX = 2_048;

const sentImage = z
  .string()
  .regex(
    new RegExp(`^(https://.{1,${ADDRESS_MAX}}$|data:image/(png|jpeg|webp|gif);base64,)`),
    `must be an https URL of at most ${ADDRESS_MAX} characters, or a data: URL of PNG, JPEG, WebP or GIF in base64`,
  );

/**
 * The body of send and of estimate. Values are checked against the model later. Bounds that hold for every model are
 * only documented here, so that the error can name the model's own bounds.
 */
export const sendBody = z.object({
  room_id: roomId,
  ai: z.int().describe('The id of a model from /ai/settings/.'),
  message: z.string().min(1, 'must not be empty'),
  images: z
    .array(sentImage)
    .max(IMAGES_MAX)
    .nullish()
    .describe(
      'Images that the model sees with this message: https URLs, or data: URLs of PNG, JPEG, WebP or GIF in base64, ' +
        'which are stored and shown in the history. Only for models that take images. Later contexts say `[image]`.',
    ),
  system_prompt: z.string().nullish().describe('Role, context and rules of the model.'),
  chat_depth: z
    .int()
    .min(0)
    .nullish()
    .meta({
      default: 0,
      description:
        'How many earlier messages of the room are sent along, each with its answer. A failed message does not ' +
        'count; a message with an empty answer counts, but is left out.',
    }),
  context_before: idGiven
    .nullish()
    .describe(
      'The id of a message, to answer it again or to edit it. The context is the messages before it, and the new ' +
        'message takes its place: it and the messages after it stay in the history, but are in no later context.',
    ),
  max_output_tokens: z
    .int()
    .meta({ minimum: 1 })
    .nullish()
    .describe("Cap on the answer, at most the model's maximum, which is the default."),
  temperature: z
    .number()
    .meta({ minimum: 0, maximum: TEMPERATURE_MAX })
    .nullish()
    .describe('Within the range of the model; absent: not sent to the provider.'),
  seed: z.number().nullish().describe('For reproducible images; null: random.'),
  detached: z
    .boolean()
    .nullish()
    .describe(
      'true: the send goes on when you leave, until it ends or /ai/stop/ ends it. The same request with the same ' +
        'Idempotency-Key follows it: a stream gets all pieces from the first on.',
    ),
  stream: z.boolean().nullish().describe('true: the answer comes as text/event-stream.'),
});

const SANDBOX_TEXT = 1;
export const exampleSend = { room_id: exampleRoom, ai: SANDBOX_TEXT, message: 'Hello' };

/** The body as the chat module takes it: absent and null mean the same. */
export function toSendInput(
  body: z.output<typeof sendBody>,
  { request, facts }: Pick<UserCall, 'request' | 'facts'>,
): SendInput {
  return {
    kind: 'room',
    roomId: body.room_id,
    ai: body.ai,
    message: body.message,
    images: body.images ?? undefined,
    systemPrompt: body.system_prompt ?? '',
    chatDepth: body.chat_depth ?? 0,
    contextBefore: body.context_before ?? undefined,
    maxOutputTokens: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: body.seed ?? undefined,
    traceparent: traceparentOf(request),
    trace: facts,
  };
}

export const leftStream = z
  .enum(['stopped', 'read_to_end'])
  .describe(
    'What happens to a stream if its client hangs up. `read_to_end`: the model may reason without showing it in the ' +
      'stream, so the provider’s answer is read to its end, and charged as a whole.',
  );

export const sendResult = named('SendResult', {
  room_id: z.string(),
  id: z.int().describe('Strictly growing within a room.'),
  request: z.string(),
  response: z.string().describe("The answer, or the image's URL."),
  cost_request: rubles,
  cost_response: rubles,
  ai: model,
  usage: z.object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    ...recordOf(partCounts, 'column', ({ meaning }) =>
      z.int().describe(`Number of ${meaning}, if the provider reports it.`).optional(),
    ),
    source: z.enum(['provider', 'estimated']),
  }),
  finish_reason: z.string(),
  balance: rubles.describe('The balance after the charge.'),
  context_used: z.int().describe('Earlier messages that were sent along.'),
  seed: z.number().nullable(),
  warnings: z.array(z.string()),
  left_stream: leftStream.optional().describe('Only for a streamed text: see the estimate.'),
});

type SendResultView = z.input<typeof sendResult>;

/** The specification's Send result. */
export function sendResultView(
  parts: Pick<OperationParts, 'catalogue' | 'images'>,
  result: SendResult,
  request: Request,
): SendResultView | Promise<SendResultView> {
  const ai = parts.catalogue.versionView(result.versionId);
  return ai instanceof Promise
    ? ai.then((view) => viewOf(result, view, parts, request))
    : viewOf(result, ai, parts, request);
}

function viewOf(
  result: SendResult,
  ai: SendResultView['ai'],
  { images }: Pick<OperationParts, 'images'>,
  request: Request,
): SendResultView {
  return {
    room_id: result.roomId,
    id: result.id,
    request: result.request,
    response:
      ai.type === 'IMAGE'
        ? images.urlFor(result.response, request.headers.get('host'))
        : writtenAnswer(result.response, result.toolCalls),
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
    warnings: result.warnings.map(refusalsFor(request)),
    left_stream: result.leftStream,
  };
}
