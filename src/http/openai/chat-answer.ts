import type { SendResult } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { toRubles } from '../../lib/money.ts';

/** OpenAI's usage, with the cost in rubles. */
export function usageView(result: SendResult): Record<string, unknown> {
  const { usage, costRequest, costResponse } = result;
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      ...(usage.cacheWriteTokens !== null && { cache_write_tokens: usage.cacheWriteTokens }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    cost: toRubles(costRequest + costResponse),
    cost_currency: 'RUB',
    source: usage.source,
  };
}

/** The gateway's finish reasons in OpenAI's words. A stream that its client left ends with `length`. */
export function finishReasonView(reason: string): string {
  if (reason === 'stopped') return 'length';
  return reason === 'other' ? 'stop' : reason;
}

/** The completion's id contains the message's id, so that it can be found in the history. */
export function completionId({ roomId, id }: { roomId: string; id: number }): string {
  return `chatcmpl-${roomId}-${id}`;
}

/** What an answer contains besides its content. */
export interface AboutAnswer {
  /** The name of the model that answers; until that is known, the requested model's name. */
  model: string;
  /** Warnings about fields of the request that have no effect. */
  ignored: readonly string[];
}

/** The field `warnings`; absent if there are none. */
export function warningsView(
  { warnings }: SendResult,
  { ignored }: AboutAnswer,
): { warnings?: string[] } {
  const all = [...warnings, ...ignored];
  return all.length > 0 ? { warnings: all } : {};
}

/** What a client has to send back with the results of its tools, in the field that DeepSeek and Kimi use for it. */
export function thoughtsView({ thoughts }: SendResult): { reasoning_content?: string } {
  return thoughts ? { reasoning_content: thoughts } : {};
}

/** A chat completion in OpenAI's shape. */
export function completionView(result: SendResult, about: AboutAnswer): Record<string, unknown> {
  const toolCalls = result.toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  const content = result.response === '' && toolCalls.length > 0 ? null : result.response;
  return {
    id: completionId(result),
    object: 'chat.completion',
    created: toUnixSeconds(result.askedAt),
    model: about.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          ...thoughtsView(result),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: finishReasonView(result.finishReason),
      },
    ],
    usage: usageView(result),
    ...warningsView(result, about),
  };
}
