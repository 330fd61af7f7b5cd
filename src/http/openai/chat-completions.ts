import type { SendInput } from '../../chat/index.ts';
import { streamedAnswer, wholeAnswer } from '../compatible/answers.ts';
import { askedModel } from '../compatible/asked-model.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import { versionNames } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { parseBody } from '../operation.ts';
import { traceparentOf } from '../traceparent.ts';
import { completionView } from './chat-answer.ts';
import {
  chatBody,
  conversationOf,
  leftOutOf,
  refuseUnsupported,
  type ChatBody,
} from './chat-body.ts';
import { chunkWriter } from './chat-stream.ts';

const textModel = {
  type: 'TEXT',
  otherwise: 'makes images: call /v1/images/generations',
} as const;

/** `POST /v1/chat/completions` */
export async function chatCompletions(
  parts: CompatibleParts,
  call: CompatibleCall,
): Promise<Response> {
  refuseUnsupported(call.body);
  const body = parseBody(chatBody, call.body) as ChatBody;
  const { userId } = call.caller;
  const key = idempotencyKey('v1/chat/completions', call.request, call.bytes);
  const model = askedModel(await parts.modelsForUser(userId), body.model, textModel, key);
  const input = await inputOf(parts, call, body, model.id);
  const leftOut = leftOutOf(body);
  const versionName = versionNames(parts.catalogue);
  if (!body.stream) {
    return wholeAnswer(parts, call, { input, key }, async (result) => {
      const about = { model: await versionName(result.versionId), leftOut };
      return completionView(result, about);
    });
  }
  const includeUsage = body.stream_options?.include_usage ?? false;
  const about = { model: model.name, leftOut };
  const write = chunkWriter({ ...about, nameOf: versionName, includeUsage });
  return streamedAnswer(parts, call, { input, key }, write);
}

async function inputOf(
  parts: CompatibleParts,
  call: CompatibleCall,
  body: ChatBody,
  modelId: number,
): Promise<SendInput> {
  return {
    kind: 'conversation',
    roomId: await roomOf(parts.rooms, call),
    ai: modelId,
    conversation: conversationOf(body),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: body.seed ?? undefined,
    traceparent: traceparentOf(call.request),
  };
}
