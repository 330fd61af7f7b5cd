import type { CatalogueModel } from '../../catalogue/index.ts';
import type { Rooms, Sender, SendInput } from '../../chat/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import { modelNamed, nameOf } from '../compatible/model-names.ts';
import { eventStream } from '../event-stream.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { parseBody } from '../operation.ts';
import { traceparentOf } from '../traceparent.ts';
import { completionView } from './chat-answer.ts';
import { chatBody, conversationOf, refuseUnsupported, type ChatBody } from './chat-body.ts';
import { completionChunks } from './chat-stream.ts';

export interface ChatParts {
  sender: Sender;
  rooms: Rooms;
  clock: Clock;
  modelsOf: (userId: number) => Promise<CatalogueModel[]>;
}

/** `POST /v1/chat/completions` */
export async function chatCompletions(parts: ChatParts, call: CompatibleCall): Promise<Response> {
  refuseUnsupported(call.body);
  const body = parseBody(chatBody, call.body) as ChatBody;
  const { userId } = call.caller;
  const model = modelNamed(await parts.modelsOf(userId), body.model);
  if (model.type !== 'TEXT') {
    throw invalidField('model', 'makes images: call /v1/images/generations');
  }
  const input = await inputOf(parts, call, body, model);
  const key = idempotencyKey('v1/chat/completions', call.request, call.bytes);
  const name = nameOf(model);
  if (!body.stream) {
    const result = await parts.sender.send(userId, input, key);
    return Response.json(completionView(result, name));
  }
  const gone = new AbortController();
  const events = await parts.sender.stream(userId, input, key, gone.signal);
  const includeUsage = body.stream_options?.include_usage ?? false;
  const chunks = completionChunks(events, { model: name, clock: parts.clock, includeUsage });
  return eventStream(chunks, () => gone.abort());
}

async function inputOf(
  parts: ChatParts,
  call: CompatibleCall,
  body: ChatBody,
  model: CatalogueModel,
): Promise<SendInput> {
  const conversation = conversationOf(body);
  return {
    roomId: await roomOf(parts.rooms, call),
    ai: model.id,
    ...recordedTexts(conversation.messages),
    chatDepth: 0,
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: body.seed ?? undefined,
    traceparent: traceparentOf(call.request),
    conversation,
  };
}

/** What the history shows of a conversation: its instructions, and what was said last. */
export function recordedTexts(
  messages: NonNullable<SendInput['conversation']>['messages'],
): Pick<SendInput, 'systemPrompt' | 'message'> {
  const systemPrompt = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n');
  const content = messages.findLast(({ role }) => role === 'user' || role === 'tool')?.content;
  const message =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  return { systemPrompt, message };
}
