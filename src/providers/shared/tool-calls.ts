import type { ToolCall, ToolCallPart } from '../spec.ts';
import { incomprehensible } from './failures.ts';
import { asLabel, storable } from './json.ts';

/** Most tool calls of one answer; a model that goes on has lost its way. */
const TOOL_CALLS_MAX = 1_024;

/** A piece of a call as a dialect tells it. */
export interface ToldPiece {
  /** The provider's own number or name of the call: pieces with the same key belong together. */
  key: string | number;
  id?: unknown;
  name?: unknown;
  arguments: string;
}

/**
 * Puts tool calls together out of their pieces, and numbers them from 0 as they begin, whatever numbers
 * the provider gives. A call without an id, which some compatible servers send, gets one of ours.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  /** Positions in `#calls`. */
  readonly #byKey = new Map<string | number, number>();

  /** @throws ProviderError `failed` when a call begins without a name */
  add(piece: ToldPiece): ToolCallPart {
    const text = storable(piece.arguments);
    const id = asLabel(piece.id);
    const known = this.#byKey.get(piece.key);
    const call = known === undefined ? undefined : this.#calls[known];
    // Servers that number every call 0 tell them apart by their ids alone.
    if (known === undefined || !call || (id !== null && id !== call.id)) {
      return this.#begin(piece, id, text);
    }
    call.arguments += text;
    return { type: 'tool_call', index: known, arguments: text };
  }

  #begin(piece: ToldPiece, told: string | null, text: string): ToolCallPart {
    const name = asLabel(piece.name);
    if (name === null) throw incomprehensible('a tool call of it has no name');
    const index = this.#calls.length;
    if (index >= TOOL_CALLS_MAX) throw incomprehensible('it has too many tool calls');
    const id = told ?? newCallId();
    this.#byKey.set(piece.key, index);
    this.#calls.push({ id, name, arguments: text });
    return { type: 'tool_call', index, id, name, arguments: text };
  }

  /** The calls so far. A model that gave no arguments at all means an empty object. */
  get all(): ToolCall[] {
    return this.#calls.map((call) => ({ ...call, arguments: call.arguments || '{}' }));
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }
}

/** Made by us where a provider names none; it goes to the client and comes back with the result. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Whether `newCallId` made it. */
export function isOwnCallId(id: string): boolean {
  return /^call_[\da-f]{32}$/.test(id);
}
