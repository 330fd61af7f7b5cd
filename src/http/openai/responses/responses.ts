import { streamedAnswer, wholeAnswer } from '../../compatible/answers.ts';
import { askedModel } from '../../compatible/asked-model.ts';
import { roomOf, type CompatibleCall } from '../../compatible/caller.ts';
import { versionNames } from '../../compatible/model-names.ts';
import type { CompatibleParts } from '../../compatible/parts.ts';
import { idempotencyKey } from '../../idempotency-key.ts';
import { parseBody } from '../../operation.ts';
import { traceparentOf } from '../../traceparent.ts';
import { outputOf, responseView, type Asked } from './answer.ts';
import { conversationOf, refuseUnsupported, responseBody, type ResponseBody } from './body.ts';
import { responseWriter } from './stream.ts';

const textModel = {
  type: 'TEXT',
  otherwise: 'makes images: call /v1/images/generations',
} as const;

/** `POST /v1/responses`: the Responses API without what it keeps between requests. */
export async function responses(parts: CompatibleParts, call: CompatibleCall): Promise<Response> {
  refuseUnsupported(call.body);
  const body = parseBody(responseBody, call.body) as ResponseBody;
  const { userId } = call.caller;
  const key = idempotencyKey('v1/responses', call.request, call.bytes);
  const model = askedModel(await parts.modelsForUser(userId), body.model, textModel, key);
  const input = {
    kind: 'conversation' as const,
    roomId: await roomOf(parts.rooms, call),
    ai: model.id,
    conversation: conversationOf(body),
    maxOutputTokens: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: undefined,
    traceparent: traceparentOf(call.request),
  };
  const versionName = versionNames(parts.catalogue);
  if (body.stream) {
    return streamedAnswer(
      parts,
      call,
      { input, key },
      responseWriter({ body, model: model.name }, versionName),
    );
  }
  return wholeAnswer(parts, call, { input, key }, async (result) => {
    const asked: Asked = { body, model: await versionName(result.versionId) };
    return responseView(result, asked, outputOf(result));
  });
}
