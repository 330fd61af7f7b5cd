import { checkAgainstModel, estimateConversation, type SendResult } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { streamedAnswer, wholeAnswer } from '../compatible/answers.ts';
import { askedModel } from '../compatible/asked-model.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import { modelNamed, versionNames } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { parseBody } from '../operation.ts';
import { traceparentOf } from '../traceparent.ts';
import { messageView } from './answer.ts';
import {
  conversationOf,
  messagesBody,
  refuseUnsupported,
  type MessagesBody,
} from './messages-body.ts';
import { anthropicLimitHeaders } from '../rate-limit-headers.ts';
import { messageWriter } from './stream.ts';

const textModel = { type: 'TEXT', otherwise: 'makes images: choose a text model' } as const;

/** `POST /v1/messages` */
export async function messages(parts: CompatibleParts, call: CompatibleCall): Promise<Response> {
  const { userId } = call.caller;
  const body = bodyOf(call.body);
  const key = idempotencyKey('v1/messages', call.request, call.bytes);
  const model = askedModel(await parts.modelsForUser(userId), body.model, textModel, key);
  const ask = askOf(call, body, model.id);
  const input = { ...ask, roomId: await roomOf(parts.rooms, call) };
  const versionName = versionNames(parts.catalogue);
  if (!body.stream) {
    const view = async (result: SendResult) =>
      messageView(result, await versionName(result.versionId));
    return wholeAnswer(parts, call, { input, key }, view, anthropicLimitHeaders);
  }
  const { requestId } = call;
  const write = messageWriter({ asked: model.name, nameOf: versionName, requestId });
  return streamedAnswer(parts, call, { input, key }, write, anthropicLimitHeaders);
}

/** `POST /v1/messages/count_tokens`: an estimate; nothing is sent or charged. */
export async function countTokens(parts: CompatibleParts, call: CompatibleCall): Promise<Response> {
  // Nothing is sent that would refuse a model which the user's limits do not allow.
  const models = await parts.modelsWithinLimits(call.caller.userId);
  const body = bodyOf({ max_tokens: 1, ...call.body });
  const model = modelNamed(models, body.model, textModel.type);
  if (model.type !== textModel.type) throw invalidField('model', textModel.otherwise);
  const ask = askOf(call, body, model.id);
  checkAgainstModel(model, ask);
  return Response.json({ input_tokens: await estimateConversation(ask.conversation) });
}

/** @throws `invalid_request` for what can't be, so that a count refuses it as well */
function bodyOf(given: Record<string, unknown>): MessagesBody {
  refuseUnsupported(given);
  return parseBody(messagesBody, given) as MessagesBody;
}

function askOf({ request }: CompatibleCall, body: MessagesBody, modelId: number) {
  return {
    kind: 'conversation' as const,
    ai: modelId,
    conversation: conversationOf(body),
    maxOutputTokens: body.max_tokens,
    temperature: body.temperature ?? undefined,
    seed: undefined,
    traceparent: traceparentOf(request),
  };
}
