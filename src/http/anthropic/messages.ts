import type { CatalogueModel } from '../../catalogue/index.ts';
import {
  checkAgainstModel,
  estimateConversation,
  type Conversation,
  type SendAsk,
} from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { jsonAnswer, streamedAnswer } from '../compatible/answers.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import { modelNamed, nameOf, versionNames } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { recordedTexts } from '../compatible/recorded-texts.ts';
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

/** `POST /v1/messages` */
export async function messages(parts: CompatibleParts, call: CompatibleCall): Promise<Response> {
  const { userId } = call.caller;
  const { body, model, ask } = askedIn(call, call.body, await parts.modelsOf(userId));
  const input = { ...ask, roomId: await roomOf(parts.rooms, call) };
  const key = idempotencyKey('v1/messages', call.request, call.bytes);
  const versionName = versionNames(parts.catalogue);
  if (!body.stream) {
    const result = await parts.sender.send(userId, input, key);
    const name = await versionName(result.versionId);
    return jsonAnswer(result, messageView(result, name), anthropicLimitHeaders);
  }
  const { requestId } = call;
  const write = messageWriter({ asked: nameOf(model), nameOf: versionName, requestId });
  return streamedAnswer(parts, call, { input, key }, write, anthropicLimitHeaders);
}

/** `POST /v1/messages/count_tokens`: an estimate; nothing is sent or charged. */
export async function countTokens(parts: CompatibleParts, call: CompatibleCall): Promise<Response> {
  // Nothing is sent that would refuse a model which the user's limits do not allow.
  const models = await parts.allowedModelsOf(call.caller.userId);
  const { model, ask } = askedIn(call, { max_tokens: 1, ...call.body }, models);
  checkAgainstModel(model, ask);
  return Response.json({ input_tokens: await estimateConversation(ask.conversation) });
}

interface Asked {
  body: MessagesBody;
  model: CatalogueModel;
  ask: SendAsk & { conversation: Conversation };
}

/** What a body asks for. @throws `invalid_request` for what can't be, so that a count refuses it as well */
function askedIn(
  { request }: CompatibleCall,
  given: Record<string, unknown>,
  models: readonly CatalogueModel[],
): Asked {
  refuseUnsupported(given);
  const body = parseBody(messagesBody, given) as MessagesBody;
  const model = modelNamed(models, body.model);
  if (model.type !== 'TEXT') throw invalidField('model', 'makes images: choose a text model');
  const conversation = conversationOf(body);
  const ask = {
    ai: model.id,
    ...recordedTexts(conversation.messages),
    chatDepth: 0,
    maxOutputTokens: body.max_tokens,
    temperature: body.temperature ?? undefined,
    seed: undefined,
    traceparent: traceparentOf(request),
    conversation,
  };
  return { body, model, ask };
}
