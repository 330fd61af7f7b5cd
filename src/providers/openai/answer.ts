import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asArray, asLabel, asRecord, storable } from '../shared/json.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import type { TextAnswer } from '../spec.ts';
import { readContent, readThoughts } from './content.ts';
import { errorInAnswer, errorOfChoice } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import type { Asked } from './request.ts';
import { readToolCalls } from './tool-calls.ts';
import { readUsage } from './usage.ts';

/**
 * The body of a chat completion, as an answer.
 * @param secret the key, to be kept out of what is told of an error
 * @throws ProviderError `content_refused` with the told usage when the safety system left nothing of the
 *   answer; `failed` when the body is not what the dialect says
 */
export function textAnswer(body: unknown, asked: Asked, secret: string | undefined): TextAnswer {
  const completion = asRecord(body);
  if (!completion) throw incomprehensible('it is no object');
  const error = errorInAnswer(completion, secret);
  if (error) throw error;
  const usage = readUsage(completion['usage'], asked.thoughtsInTotalAlone);
  const choice = asRecord(asArray(completion['choices'])?.[0]);
  const message = asRecord(choice?.['message']);
  const content = message && readContent(message);
  const pieces = message && readToolCalls(message);
  if (!choice || !content || !pieces) throw incomprehensible('it has no message', { usage });
  const failure = errorOfChoice(choice, secret, usage);
  if (failure) throw failure;

  const toolCalls = new ToolCalls();
  // Each stands here whole, so its place tells it apart, whatever index it claims.
  for (const [key, piece] of pieces.entries()) toolCalls.add({ ...piece, key });
  const rawFinishReason = asLabel(choice['finish_reason']);
  const finishReason = finishReasonOf(rawFinishReason, toolCalls.any);
  const isEmpty = content.text === '' && !toolCalls.any;
  if (isEmpty && (content.refusal !== '' || finishReason === 'content_filter')) {
    throw contentRefused({ usage });
  }
  const thoughts = asked.wantsThoughts && toolCalls.any ? storable(readThoughts(message)) : '';
  return {
    text: storable(content.text),
    toolCalls: toolCalls.all,
    ...(thoughts !== '' && { thoughts }),
    providerMessageId: asLabel(completion['id']),
    usage,
    finishReason,
    rawFinishReason,
    seed: asked.seed,
    warnings: asked.warnings,
  };
}
