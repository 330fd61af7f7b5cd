import type { ToolCall, ToolCallPart } from '../spec.ts';
import { malformedAnswer } from './failures.ts';
import { storable } from './json.ts';

/** Most tool calls of one answer; a model that makes more is stuck in a loop. */
const TOOL_CALLS_MAX = 1_024;

/** A piece of a tool call as a dialect sends it. */
export interface ToolCallPiece {
  /** The provider's number or name of the call: pieces with the same key belong together. */
  key: string | number;
  id?: string | null | undefined;
  name?: string | null | undefined;
  arguments: string;
}

/**
 * Assembles tool calls from their pieces. Calls are numbered from 0 in the order in which they begin, whatever
 * numbers the provider uses. A call without an id, as some compatible servers send it, gets a new one.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  /** Positions in `#calls`. */
  readonly #byKey = new Map<string | number, number>();

  /** @throws ProviderError `failed` if a call begins without a name */
  add(piece: ToolCallPiece): ToolCallPart {
    const text = storable(piece.arguments);
    const id = piece.id ?? null;
    const index = this.#byKey.get(piece.key);
    const call = index === undefined ? undefined : this.#calls[index];
    // Servers that number every call 0 tell them apart only by their ids.
    if (index === undefined || !call || (id !== null && id !== call.id)) {
      return this.#begin(piece, id, text);
    }
    call.arguments += text;
    return { type: 'tool_call', index, arguments: text };
  }

  #begin({ key, name }: ToolCallPiece, providerId: string | null, text: string): ToolCallPart {
    if (!name) throw malformedAnswer('a tool call has no name');
    const index = this.#calls.length;
    if (index >= TOOL_CALLS_MAX) throw malformedAnswer('it has too many tool calls');
    const id = providerId ?? newCallId();
    this.#byKey.set(key, index);
    this.#calls.push({ id, name, arguments: text });
    return { type: 'tool_call', index, id, name, arguments: text };
  }

  /** The calls so far. A call without arguments gets an empty object. */
  get all(): ToolCall[] {
    return this.#calls.map((call) => ({ ...call, arguments: call.arguments || '{}' }));
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }
}

/** An id for a call that the provider gave none. The client returns it with the result. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Whether `newCallId` made the id. */
export function isOwnCallId(id: string): boolean {
  return /^call_[\da-f]{32}$/.test(id);
}
