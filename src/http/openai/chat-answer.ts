import { reasoningText, REASONING_GAP, type SendResult } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { toRubles } from '../../lib/money.ts';
import type { NamedEvent, NamedEventWriter } from '../compatible/named-events.ts';
import { openAiError } from '../compatible/errors.ts';
import { textOfArguments } from './custom-tools.ts';
import { toDomainError } from '../errors.ts';

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

/** The charge of an answer that is not JSON. */
export function costHeaders({ costRequest, costResponse }: SendResult): Record<string, string> {
  return { 'x-cost': String(toRubles(costRequest + costResponse)), 'x-cost-currency': 'RUB' };
}

/** The gateway's finish reasons in OpenAI's words. A stream that its client left ends with `length`. */
export function finishReasonView(reason: string, about?: AboutAnswer): string {
  if (reason === 'stopped') return 'length';
  if (reason === 'tool_calls' && about?.isOlder) return 'function_call';
  return reason === 'other' ? 'stop' : reason;
}

/** The completion's id contains the message's id, so that it can be found in the history. */
export function completionId({ roomId, id }: { roomId: string; id: number }): string {
  return `chatcmpl-${roomId}-${id}`;
}

/** The facts that an answer contains besides its content. */
export interface AboutAnswer {
  /** The name of the model that answers; until it is known, the requested model's name. */
  model: string;
  /** Warnings about fields of the request that have no effect. */
  ignored: readonly string[];
  /** True if the request has `functions`: then an answer has at most one call, in the form of older clients. */
  isOlder?: boolean;
  /** The names of the tools that take a text. */
  custom?: ReadonlySet<string>;
}

/** The field `warnings`; absent if there are none. */
export function warningsView(
  { warnings, toolCalls }: SendResult,
  { ignored, isOlder }: Pick<AboutAnswer, 'ignored' | 'isOlder'> = { ignored: [] },
): { warnings?: string[] } {
  const all = [...warnings, ...ignored];
  if (isOlder && toolCalls.length > 1) {
    all.push(
      `the model made ${toolCalls.length} calls, of which function_call has the first: send tools`,
    );
  }
  return all.length > 0 ? { warnings: all } : {};
}

/**
 * The model's reasoning, in the field of DeepSeek, vLLM and others. Clients send it back with the results of tools.
 */
function reasoningView({ reasoning }: Pick<SendResult, 'reasoning'>): {
  reasoning_content?: string;
} {
  const text = reasoningText(reasoning);
  return text === '' ? {} : { reasoning_content: text };
}

export function completionView(result: SendResult, about: AboutAnswer): Record<string, unknown> {
  return {
    id: completionId(result),
    object: 'chat.completion',
    created: toUnixSeconds(result.askedAt),
    model: about.model,
    choices: choicesOf(result).map(
      ({ text, toolCalls, reasoning, logprobs, finishReason }, index) => ({
        index,
        message: {
          role: 'assistant',
          content: text === '' && toolCalls.length > 0 ? null : text,
          refusal: null,
          ...reasoningView({ reasoning }),
          ...callsView(toolCalls, about),
        },
        logprobs,
        finish_reason: finishReasonView(finishReason, about),
      }),
    ),
    usage: usageView(result),
    ...warningsView(result, about),
  };
}

interface Choice extends Pick<SendResult, 'toolCalls' | 'reasoning' | 'finishReason'> {
  text: string;
  logprobs: unknown;
}

/** The answers to a request; nearly always one. */
export function choicesOf(result: SendResult): readonly Choice[] {
  const { response: text, toolCalls, reasoning, finishReason } = result;
  return result.choices ?? [{ text, toolCalls, reasoning, finishReason, logprobs: null }];
}

/** The calls of a whole answer. */
function callsView(toolCalls: SendResult['toolCalls'], about: AboutAnswer): object {
  const [first] = toolCalls;
  if (!first) return {};
  if (!about.isOlder) return { tool_calls: toolCalls.map((call) => toolCallView(call, about)) };
  return { function_call: { name: first.name, arguments: first.arguments } };
}

type ToolCall = SendResult['toolCalls'][number];

function toolCallView({ id, name, arguments: args }: ToolCall, { custom }: AboutAnswer): object {
  if (custom?.has(name)) {
    return { id, type: 'custom', custom: { name, input: textOfArguments(args) } };
  }
  return { id, type: 'function', function: { name, arguments: args } };
}

type ToolCallEvent = Extract<NamedEvent, { type: 'tool_call' }>;

/** Joins the pieces of reasoning to one text, with a blank line between two blocks. */
class ReasoningTexts {
  #gap = '';
  #hasText = false;

  next({ text, seal }: Extract<NamedEvent, { type: 'reasoning' }>): string {
    const piece = text === '' ? '' : this.#gap + text;
    if (piece !== '') [this.#gap, this.#hasText] = ['', true];
    if (seal) this.end();
    return piece;
  }

  end(): void {
    if (this.#hasText) this.#gap = REASONING_GAP;
  }
}

/**
 * Collects calls of tools that take a text: the text is inside the arguments, so it is known when they are complete.
 */
class CustomCalls {
  readonly #calls = new Map<number, ToolCall>();
  readonly #about: AboutAnswer;

  constructor(about: AboutAnswer) {
    this.#about = about;
  }

  /** Keeps the piece if it belongs to such a call. @returns whether it does */
  keeps({ index, id = '', name = '', arguments: piece }: ToolCallEvent): boolean {
    const call = this.#calls.get(index);
    if (call) call.arguments += piece;
    else if (this.#about.custom?.has(name)) this.#calls.set(index, { id, name, arguments: piece });
    return this.#calls.has(index);
  }

  /** The whole calls. */
  views(): object[] {
    const calls = [...this.#calls];
    return calls.map(([index, call]) => ({ index, ...toolCallView(call, this.#about) }));
  }
}

export interface ChunkOptions extends AboutAnswer {
  includeUsage: boolean;
}

/**
 * Writes a streamed send as chat completion chunks. The last chunk with usage has no choices, and contains the cost.
 * Chunks name the requested model until the answering model is known. A broken stream ends with an error chunk and
 * without `[DONE]`, so that no client takes it for complete.
 */
export function chunkWriter({ includeUsage, ...about }: ChunkOptions): NamedEventWriter {
  const head = { id: '', created: 0, model: about.model };
  let before = '';
  const reasoning = new ReasoningTexts();
  const custom = new CustomCalls(about);
  const chunk = (delta: object, finishReason: string | null = null, more: object = {}): string =>
    chunkLine(head, {
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...more,
    });
  // Each of several answers is sent in one piece.
  const choiceChunk = (choice: Choice, index: number) => {
    const { text, toolCalls, logprobs, finishReason } = choice;
    const calls = toolCalls.map((call, at) => ({ index: at, ...toolCallView(call, about) }));
    const delta = {
      role: 'assistant',
      content: text,
      ...reasoningView(choice),
      ...(about.isOlder ? callsView(toolCalls, about) : calls.length > 0 && { tool_calls: calls }),
    };
    const reason = finishReasonView(finishReason, about);
    return chunkLine(head, { choices: [{ index, delta, logprobs, finish_reason: reason }] });
  };
  return (event) => {
    switch (event.type) {
      case 'served':
        head.model = event.model;
        before = deltaHead(head);
        return '';
      case 'start':
        head.id = completionId(event);
        head.created = toUnixSeconds(event.askedAt);
        before = deltaHead(head);
        return chunk({ role: 'assistant', content: '' });
      case 'reasoning': {
        const text = reasoning.next(event);
        return text === '' ? '' : chunk({ reasoning_content: text });
      }
      case 'delta':
        reasoning.end();
        return `${before}${JSON.stringify(event.text)}${deltaTail}`;
      case 'tool_call':
        if (about.isOlder) return event.index === 0 ? chunk(olderCallView(event)) : '';
        if (custom.keeps(event)) return '';
        return chunk({ tool_calls: [callView(event)] });
      case 'error':
        return eventLine({ error: openAiError(toDomainError(event.error)) });
      case 'done': {
        const { result } = event;
        const choices =
          result.choices?.map(choiceChunk).join('') ??
          custom
            .views()
            .map((call) => chunk({ tool_calls: [call] }))
            .join('');
        const warnings = warningsView(result, about);
        const last = result.choices
          ? Object.keys(warnings).length > 0 && chunkLine(head, { choices: [], ...warnings })
          : chunk({}, finishReasonView(result.finishReason, about), warnings);
        const usage = { choices: [], usage: usageView(result) };
        return `${choices}${last || ''}${includeUsage ? chunkLine(head, usage) : ''}data: [DONE]\n\n`;
      }
    }
  };
}

interface ChunkHead {
  id: string;
  created: number;
  model: string;
}

/** The first piece names the call. Later pieces only add to its arguments. */
function callView({ index, id, name, arguments: args }: ToolCallEvent): object {
  const first = id === undefined ? {} : { id, type: 'function' };
  return { index, ...first, function: { ...(name && { name }), arguments: args } };
}

function olderCallView({ name, arguments: args }: ToolCallEvent): object {
  return { function_call: { ...(name && { name }), arguments: args } };
}

function chunkLine({ id, created, model }: ChunkHead, data: object): string {
  return eventLine({ id, object: 'chat.completion.chunk', created, model, ...data });
}

/** The part of a text chunk before its text. It is the same for the whole stream, which is mostly text chunks. */
function deltaHead({ id, created, model }: ChunkHead): string {
  const about = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
  return `data: ${about.slice(0, -1)},"choices":[{"index":0,"delta":{"content":`;
}
const deltaTail = '},"logprobs":null,"finish_reason":null}]}\n\n';

export function eventLine(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
