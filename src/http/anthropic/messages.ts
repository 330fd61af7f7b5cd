import { keyIdOf } from '../../users/index.ts';
import { z } from 'zod';
import {
  checkAgainstModel,
  estimateConversation,
  imageUrls,
  type Conversation,
} from '../../chat/index.ts';
import { anthropicMessage, tokenCount } from '../compatible/answer-schemas.ts';
import { sendEndpoint, type Endpoint } from '../compatible/endpoints.ts';
import { modelFor } from '../compatible/models.ts';
import { checkedBody } from '../compatible/call.ts';
import { traceparentOf } from '../request-facts.ts';
import { messageView, messageWriter, type AboutAnswer } from './answer.ts';
import type { ShownReasoning } from './blocks.ts';
import { DomainError } from '../../lib/errors.ts';
import { cacheable, isMarked, refuseFields } from '../compatible/request-fields.ts';
import { type FieldNames, requestIdHeader } from '../compatible/errors.ts';
import { requestsReasoning, OMITTED, thinking, toReasoningMode } from '../compatible/reasoning.ts';
import { foundTools, markedAtEnd, message, system, toMessages, toSystem } from './content.ts';
import { chosenTools, leftOutTools, tool, toolChoice } from './tools.ts';
import { leftOutWarning } from '../compatible/left-out.ts';
import { anthropicLimitHeaders } from '../rate-limit-headers.ts';

/** Settings by which Anthropic shortens a conversation on its side. */
const contextManagement = z.looseObject({
  edits: z.array(z.looseObject({ type: z.string(), keep: z.unknown().optional() })).nullish(),
});

const outputFormat = z.object({
  type: z.literal('json_schema'),
  schema: z.record(z.string(), z.unknown()),
});

const outputConfig = z.object({ effort: z.string().nullish(), format: outputFormat.nullish() });

const messagesBody = z.object({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: system.nullish(),
  messages: z.array(message).min(1, 'must have at least one message'),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  metadata: z.object({ user_id: z.string().nullish() }).nullish(),
  thinking: thinking.nullish(),
  output_config: outputConfig.nullish(),
  /** The former name of `output_config.format`. */
  output_format: outputFormat.nullish(),
  context_management: contextManagement.nullish(),
  stream: z.boolean().nullish(),
  /** Has the same effect as a mark on the last block. */
  ...cacheable,
});

/** The body's names for the fields of a send. One of them, the format, has two names. */
function messagesFields(body: Record<string, unknown>): FieldNames {
  const isOlder = body['output_format'] != null;
  return { ...fields, responseFormat: isOlder ? 'output_format' : 'output_config.format' };
}

const fields: FieldNames = {
  ai: 'model',
  max_output_tokens: 'max_tokens',
  maxOutputTokens: 'max_tokens',
  topP: 'top_p',
  stop: 'stop_sequences',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
  reasoningEffort: 'output_config.effort',
  user: 'metadata.user_id',
};

type MessagesBody = z.output<typeof messagesBody>;

/** Fields that would change the answer but are not supported by the gateway. */
const refusedFields = [
  'top_k',
  'mcp_servers',
  'compaction',
  'container',
  'fallbacks',
  'inference_geo',
  'speed',
];

/** Values that ask for the usual behaviour. */
function isHarmless(value: unknown, field: string): boolean {
  return field === 'speed' && value === 'standard';
}

/** @throws `invalid_request` that names the field */
function refuseUnsupported(body: Record<string, unknown>): void {
  refuseThread(body);
  refuseFields(body, refusedFields, isHarmless);
}

/**
 * A thread is a conversation that the server keeps, so that a request contains only what is new. The gateway does not
 * support threads. These details tell Anthropic's clients so, and they send the whole conversation instead.
 */
function refuseThread({ thread }: Record<string, unknown>): void {
  if (thread == null) return;
  const remedy = 'is not supported here: leave it out, and send the whole conversation';
  throw new DomainError('invalid_request', `thread: ${remedy}`, {
    details: [{ path: 'thread', message: remedy }],
    facts: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
  });
}

function conversationOf(body: Omit<MessagesBody, 'max_tokens'>): Conversation {
  const choice = body.tool_choice ?? undefined;
  const messages = [...toSystem(body.system), ...body.messages.flatMap(toMessages)];
  // Here an effort alone does not make a model reason.
  const reasoningMode = toReasoningMode(body.thinking) ?? defaultMode;
  return {
    messages: isMarked(body) ? markedAtEnd(messages) : messages,
    options: {
      topP: body.top_p ?? undefined,
      stop: body.stop_sequences ?? undefined,
      ...chosenTools(body.tools, choice, foundTools(body.messages)),
      parallelToolCalls: choice?.disable_parallel_tool_use ? false : undefined,
      responseFormat: formatOf(body),
      reasoningEffort: body.output_config?.effort ?? undefined,
      reasoningMode,
      ...(asksForReasoning(body) && {
        shownReasoning: { summary: requestsReasoning({ reasoningMode }) ? 'auto' : undefined },
      }),
      user: body.metadata?.user_id ?? undefined,
    },
  };
}

const defaultMode = { type: 'default' } as const;

/** Only a caller who asks for reasoning gets it. */
function asksForReasoning({ thinking: wanted }: Pick<MessagesBody, 'thinking'>): boolean {
  return wanted != null && wanted.type !== 'disabled';
}

/** Warnings about fields that are left out although a caller might rely on them. */
function leftOut({ tools, context_management: edited }: MessagesBody): string[] {
  const types = leftOutTools(tools);
  // Nothing is cleared here, so a request to keep all reasoning asks for the usual behaviour.
  const edits = edited?.edits?.filter(
    ({ type, keep }) => !(type.startsWith('clear_thinking_') && keep === 'all'),
  );
  return [
    ...leftOutWarning(types),
    ...(edits?.length ? ['context_management is left out: the whole conversation is sent'] : []),
  ];
}

function aboutAnswer(body: MessagesBody): AboutAnswer {
  return { shown: shownIn(body), leftOut: leftOut(body) };
}

function shownIn({ thinking: wanted }: Pick<MessagesBody, 'thinking'>): ShownReasoning {
  return wanted != null && wanted.type !== 'disabled' && wanted.display === OMITTED
    ? 'signed'
    : 'all';
}

/** Schemas have no name in this dialect, but need one in others. */
function formatOf(
  body: Pick<MessagesBody, 'output_config' | 'output_format'>,
): Conversation['options']['responseFormat'] {
  const schema = (body.output_config?.format ?? body.output_format)?.schema;
  return schema && { type: 'json_schema', name: 'answer', schema, strict: true };
}

const textModels = ['text'] as const;
const hello = {
  model: 'sandbox/sandbox-text',
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

const messages = sendEndpoint({
  path: '/v1/messages',
  summary: 'Message',
  body: messagesBody,
  result: anthropicMessage,
  example: { ...hello, max_tokens: 100 },
  models: textModels,
  refuse: refuseUnsupported,
  unreadImages: (body) => imageUrls(conversationOf(body)),
  content: contentOf,
  view: (result, { body, model }) => messageView(result, model, aboutAnswer(body)),
  writer: (body, { model, requestId }) => messageWriter(model, requestId, aboutAnswer(body)),
  headers: (quotas, requestId) => ({
    ...anthropicLimitHeaders(quotas),
    ...requestIdHeader(requestId),
  }),
  fields: messagesFields,
});

const countBody = messagesBody.partial({ max_tokens: true });

/** Counts are estimates: nothing is sent or charged. */
const countTokens: Endpoint = {
  path: '/v1/messages/count_tokens',
  refuse: refuseUnsupported,
  summary: 'How many tokens a message takes; nothing is sent or charged',
  body: countBody,
  result: tokenCount,
  example: hello,
  sends: false,
  streams: false,
  answer: async (parts, call) => {
    const body = checkedBody({ body: countBody, refuse: refuseUnsupported }, call);
    // A send would refuse models that the user's limits exclude; here nothing is sent.
    const { caller } = call;
    const models = await parts.modelsWithinLimits(caller.userId, keyIdOf(caller));
    const model = modelFor(models, body.model, textModels);
    const content = contentOf(body);
    checkAgainstModel(model, {
      ...content,
      maxOutputTokens: body.max_tokens ?? 1,
      ai: model.id,
      traceparent: traceparentOf(call.request),
    });
    return Response.json(
      { input_tokens: await estimateConversation(content.conversation, call.caller.userId) },
      { headers: requestIdHeader(call.facts.requestId) },
    );
  },
  fields: messagesFields,
};

/** The Anthropic-compatible interface: the same users, keys, holds and charges, in Anthropic's shapes. */
export const anthropicEndpoints: readonly Endpoint[] = [messages, countTokens];

function contentOf(body: z.output<typeof countBody>) {
  return {
    kind: 'conversation' as const,
    conversation: conversationOf(body),
    maxOutputTokens: body.max_tokens,
    temperature: body.temperature ?? undefined,
    seed: undefined,
  };
}
