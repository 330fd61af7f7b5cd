import { z } from 'zod';
import { AnswerReader, reasoningLeftOut, wholeAnswer } from '../shared/answer-reader.ts';
import { malformedAnswer } from '../shared/failures.ts';
import type { Sent } from '../shared/unsupported.ts';
import { anything, asArray, label, list, readWire, section, text, tokens } from '../shared/wire.ts';
import { noUsage, type FinishReason, type TextAnswer, type Usage } from '../spec.ts';

const wireUsage = section({
  inputTokens: section({ total: tokens, cacheRead: tokens, cacheWrite: tokens }),
  outputTokens: section({ total: tokens, reasoning: tokens }),
});

/** `raw` is the provider's own word. */
export const wireFinish = section({ unified: label, raw: anything });

/** What the package could not send, e.g. `{"type": "unsupported", "feature", "details"}`. */
const wireWarning = section({ feature: text, setting: text, details: text, message: text });

/** The result of `doGenerate` for text. */
const wireResult = z.object({
  content: list,
  finishReason: anything,
  usage: anything,
  response: section({ id: label, modelId: label }),
  warnings: anything,
});
const wireContentPart = section({ type: anything, text, providerExecuted: anything });
const wireToolCall = z.object({ toolCallId: label, toolName: label, input: z.string() });

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_calls'],
]);

/** Finish reasons of an answer that is not complete. */
const incomplete: readonly string[] = ['error', 'interrupted'];

/** The field `usage` of a text. */
export function readUsage(value: unknown): Usage {
  const { inputTokens: input, outputTokens: output } = wireUsage.parse(value) ?? {};
  return {
    ...noUsage,
    promptTokens: input?.total ?? null,
    completionTokens: output?.total ?? null,
    cachedTokens: input?.cacheRead ?? null,
    cacheWriteTokens: input?.cacheWrite ?? null,
    reasoningTokens: output?.reasoning ?? null,
  };
}

/** The longest warning of a package that is passed on, in UTF-16 units. */
const WARNING_MAX = 300;

/** What a package could not send, one sentence each. */
export function readWarnings(value: unknown): string[] {
  return (asArray(value) ?? []).flatMap((item) => {
    const { feature, setting, details, message } = wireWarning.parse(item) ?? {};
    const words = [feature ?? setting, details ?? message].filter(Boolean);
    if (words.length === 0) return [];
    return [`The provider warned about ${words.join(': ')}`.slice(0, WARNING_MAX).toWellFormed()];
  });
}

/** How an answer ended; undefined if it is not complete. */
export function readFinishReason(value: unknown): FinishReason | undefined {
  const unified = wireFinish.parse(value)?.unified;
  if (!unified || incomplete.includes(unified)) return undefined;
  return reasons.get(unified) ?? 'other';
}

/** The result of `doGenerate`; only text and tool calls for the client are part of the answer. */
export function textAnswer(value: unknown, sent: Sent): TextAnswer {
  const result = readWire(wireResult, value);
  const usage = readUsage(result.usage);
  const finishReason = readFinishReason(result.finishReason);
  if (!finishReason || !result.content) throw malformedAnswer('it is not complete', { usage });
  const warnings = [...sent.warnings, ...readWarnings(result.warnings)];
  const answer = new AnswerReader({ seed: sent.seed, warnings });
  answer.usage = usage;
  answer.id = result.response?.id ?? null;
  answer.model = result.response?.modelId ?? null;
  const parts = result.content.flatMap((item, key) => {
    const part = wireContentPart.parse(item);
    if (part?.type === 'text') return answer.addText(part.text ?? '');
    if (part?.type === 'reasoning') return [{ ...reasoningLeftOut, text: part.text ?? '' }];
    if (part?.type !== 'tool-call' || part.providerExecuted === true) return [];
    const { toolCallId: id, toolName: name, input } = answer.check(wireToolCall, item);
    return [answer.toolCalls.add({ key, id, name, arguments: input })];
  });
  return wholeAnswer(parts, answer.end(finishReason));
}
