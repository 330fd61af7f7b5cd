import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asArray, asLabel, asRecord, storable, type JsonRecord } from '../shared/json.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import type { TextAnswer } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf, stopSequenceIn } from './finish-reason.ts';
import type { Asked } from './request.ts';
import { UsageCounts } from './usage.ts';

/**
 * The body of a message, as an answer; blocks of thinking are not part of it.
 * @param secret the key, to be kept out of what is told of an error
 * @throws ProviderError `content_refused` with the told usage when the safety system left nothing of the
 *   answer; `failed` when the body is not what the dialect says
 */
export function textAnswer(
  body: unknown,
  { warnings }: Pick<Asked, 'warnings'>,
  secret: string | undefined,
): TextAnswer {
  const message = asRecord(body);
  if (!message) throw incomprehensible('it is no object');
  const error = errorInAnswer(message, secret);
  if (error) throw error;
  const counts = new UsageCounts();
  counts.tell(message['usage']);
  const { usage } = counts;
  const blocks = asArray(message['content'])?.map(asRecord);
  if (!blocks) throw incomprehensible('it has no content', { usage });
  const toolCalls = new ToolCalls();
  let text = '';
  for (const [key, block] of blocks.entries()) {
    if (!block) throw incomprehensible('a block of it is no object', { usage });
    if (block['type'] === 'text') text += textOf(block);
    if (block['type'] === 'tool_use') toolCalls.add({ key, ...toolUse(block) });
  }
  const rawFinishReason = asLabel(message['stop_reason']);
  const finishReason = finishReasonOf(rawFinishReason);
  if (finishReason === 'content_filter' && text === '' && !toolCalls.any) {
    throw contentRefused({ usage });
  }
  return {
    text: storable(text),
    toolCalls: toolCalls.all,
    providerMessageId: asLabel(message['id']),
    usage,
    finishReason,
    rawFinishReason,
    ...stopSequenceIn(message),
    seed: null,
    warnings,
  };
}

/** The text of a block or of a delta. */
export function textOf(block: JsonRecord): string {
  const text = block['text'] ?? '';
  if (typeof text !== 'string') throw incomprehensible('a text of it is none');
  return text;
}

/** A `tool_use` block; in a stream its input is empty, and comes in deltas. */
export function toolUse(block: JsonRecord): { id: unknown; name: unknown; arguments: string } {
  const input = asRecord(block['input'] ?? {});
  if (!input) throw incomprehensible('the input of a tool call is no object');
  const isEmpty = Object.keys(input).length === 0;
  return { id: block['id'], name: block['name'], arguments: isEmpty ? '' : JSON.stringify(input) };
}
