import type { CatalogueModel } from '../../catalogue/index.ts';
import type { SendInput } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { jsonAnswer, streamedAnswer } from '../compatible/answers.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import { modelNamed, nameOf, versionNames } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { recordedTexts } from '../compatible/recorded-texts.ts';
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

/** `POST /v1/chat/completions` */
export async function chatCompletions(
  parts: CompatibleParts,
  call: CompatibleCall,
): Promise<Response> {
  refuseUnsupported(call.body);
  const body = parseBody(chatBody, call.body) as ChatBody;
  const { userId } = call.caller;
  const model = modelNamed(await parts.modelsOf(userId), body.model);
  if (model.type !== 'TEXT') {
    throw invalidField('model', 'makes images: call /v1/images/generations');
  }
  const input = await inputOf(parts, call, body, model);
  const key = idempotencyKey('v1/chat/completions', call.request, call.bytes);
  const leftOut = leftOutOf(body);
  const versionName = versionNames(parts.catalogue);
  if (!body.stream) {
    const result = await parts.sender.send(userId, input, key);
    const about = { model: await versionName(result.versionId), leftOut };
    return jsonAnswer(result, completionView(result, about));
  }
  const includeUsage = body.stream_options?.include_usage ?? false;
  const about = { model: nameOf(model), leftOut };
  const write = chunkWriter({ ...about, nameOf: versionName, includeUsage });
  return streamedAnswer(parts, call, { input, key }, write);
}

async function inputOf(
  parts: CompatibleParts,
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
