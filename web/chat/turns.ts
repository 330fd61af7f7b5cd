import { ApiError } from '../api/client.ts';
import type { HistoryItem, Model, SendResult } from '../api/types.ts';
import { micro } from '../lib/money.ts';
import { type Picture, pictureOf } from './pictures.ts';

/** A message with its answer, as the page shows it. */
export interface Turn {
  /** Stays the same while the message gets its id and its answer. */
  key: string;
  /** Undefined until the server has named the message. */
  id: number | undefined;
  /** The message that this one replaced. */
  replaces: number | undefined;
  request: string;
  pictures: readonly Picture[];
  /** The answer so far, or the URL of the image. */
  response: string;
  model: Model | undefined;
  /** Unix seconds. */
  at: number;
  state: 'streaming' | 'pending' | 'done' | 'stopped' | 'failed' | 'broken';
  /** Micro-rubles, of the request and of the answer. */
  cost: { request: number; response: number };
  tokens: { prompt: string; completion: string };
  isEstimated: boolean;
  warnings: readonly string[];
  /** Why it failed, or could not be sent. */
  error?: ApiError | undefined;
}

export function turnOfHistory(item: HistoryItem): Turn {
  return {
    key: keyOf(Number(item.message_id)),
    id: Number(item.message_id),
    replaces: item.replaces === '' ? undefined : Number(item.replaces),
    request: item.request,
    pictures: item.images.map(pictureOf),
    response: item.response,
    model: item.ai,
    at: Number(item.created_at),
    state: item.state,
    cost: { request: micro(item.cost_request), response: micro(item.cost_response) },
    tokens: { prompt: item.usage_prompt_tokens, completion: item.usage_completion_tokens },
    isEstimated: item.usage_source === 'estimated',
    warnings: [],
    ...(item.error_code !== '' && { error: new ApiError(item.error_code, item.error_code) }),
  };
}

function keyOf(id: number): string {
  return `message-${id}`;
}

/** A message that is being sent. */
export function newTurn(request: string, model: Model, pictures: readonly Picture[] = []): Turn {
  return {
    key: crypto.randomUUID(),
    id: undefined,
    replaces: undefined,
    request,
    pictures,
    response: '',
    model,
    at: Math.floor(Date.now() / 1000),
    state: 'streaming',
    cost: { request: 0, response: 0 },
    tokens: { prompt: '', completion: '' },
    isEstimated: false,
    warnings: [],
  };
}

/** The turn with the answer that the server has settled. */
export function settled(turn: Turn, result: SendResult): Turn {
  return {
    ...turn,
    id: result.id,
    response: result.response,
    model: result.ai,
    state: result.finish_reason === 'stopped' ? 'stopped' : 'done',
    cost: { request: micro(result.cost_request), response: micro(result.cost_response) },
    tokens: {
      prompt: String(result.usage.prompt_tokens),
      completion: String(result.usage.completion_tokens),
    },
    isEstimated: result.usage.source === 'estimated',
    warnings: result.warnings,
    error: undefined,
  };
}

/** What a message costs in all, in micro-rubles. */
export function costOf({ cost }: Turn): number {
  return cost.request + cost.response;
}

/** The keys of the messages that later contexts leave out, since others replaced them. */
export function leftOut(turns: readonly Turn[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { replaces, id: until, state } of turns) {
    if (replaces === undefined || until === undefined) continue;
    if (state !== 'done' && state !== 'stopped') continue;
    for (const { id, key } of turns) {
      if (id !== undefined && id >= replaces && id < until) keys.add(key);
    }
  }
  return keys;
}
