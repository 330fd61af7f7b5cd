import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asArray, asLabel, asRecord, storable } from '../shared/json.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type FinishReason, type TextAnswer, type Usage } from '../spec.ts';
import type { Asked } from './request.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_calls'],
]);

/** Words by which a package says that there is no whole answer. */
const broken: readonly string[] = ['error', 'interrupted'];

/** The field `usage` of a text. */
export function readUsage(value: unknown): Usage {
  const usage = asRecord(value);
  const input = asRecord(usage?.['inputTokens']);
  const output = asRecord(usage?.['outputTokens']);
  return {
    ...noUsage,
    promptTokens: tokenCount(input?.['total']),
    completionTokens: tokenCount(output?.['total']),
    cachedTokens: tokenCount(input?.['cacheRead']),
    cacheWriteTokens: tokenCount(input?.['cacheWrite']),
    reasoningTokens: tokenCount(output?.['reasoning']),
  };
}

/** Longest warning of a package that is passed on, in UTF-16 units. */
const WARNING_MAX = 300;

/** What a package could not take, one sentence each. */
export function readWarnings(value: unknown): string[] {
  return (asArray(value) ?? []).flatMap((item) => {
    const warning = asRecord(item);
    const what = warning?.['feature'] ?? warning?.['setting'];
    const why = warning?.['details'] ?? warning?.['message'];
    const words = [what, why].filter((word) => typeof word === 'string' && word !== '');
    if (words.length === 0) return [];
    return [`The provider told of ${words.join(': ')}`.slice(0, WARNING_MAX).toWellFormed()];
  });
}

/** How an answer ended; undefined when it is not whole. */
export function readFinish(
  value: unknown,
): { finishReason: FinishReason; rawFinishReason: string | null } | undefined {
  const told = asRecord(value);
  const unified = asLabel(told?.['unified']);
  if (unified === null || broken.includes(unified)) return undefined;
  return {
    finishReason: reasons.get(unified) ?? 'other',
    rawFinishReason: asLabel(told?.['raw']) ?? unified,
  };
}

/** The result of `doGenerate`; what is neither text nor a call for the client is not part of the answer. */
export function textAnswer(value: unknown, asked: Pick<Asked, 'seed' | 'warnings'>): TextAnswer {
  const result = asRecord(value);
  const usage = readUsage(result?.['usage']);
  const content = asArray(result?.['content'])?.map(asRecord);
  const finish = readFinish(result?.['finishReason']);
  if (!result || !content || !finish) throw incomprehensible('it is not whole', { usage });
  const toolCalls = new ToolCalls();
  let text = '';
  for (const [key, part] of content.entries()) {
    if (part?.['type'] === 'text' && typeof part['text'] === 'string') text += part['text'];
    if (part?.['type'] !== 'tool-call' || part['providerExecuted'] === true) continue;
    const { toolCallId: id, toolName: name, input } = part;
    if (typeof input !== 'string') throw incomprehensible('a tool call has no input', { usage });
    toolCalls.add({ key, id, name, arguments: input });
  }
  if (finish.finishReason === 'content_filter' && text === '' && !toolCalls.any) {
    throw contentRefused({ usage });
  }
  return {
    ...finish,
    text: storable(text),
    toolCalls: toolCalls.all,
    providerMessageId: asLabel(asRecord(result['response'])?.['id']),
    usage,
    seed: asked.seed,
    warnings: [...asked.warnings, ...readWarnings(result['warnings'])],
  };
}
