import { lruCache } from '../../lib/lru-cache.ts';
import { newCallId } from '../shared/answer-reader.ts';
import { asArray, asRecord, type JsonRecord } from '../shared/wire.ts';

/** The most tool calls whose reasoning this node keeps until their results come back. */
const CALLS_MAX = 1_024;
/** The most UTF-16 units that are kept of a call's reasoning; all together take at most 64 MB. */
const REASONING_UNITS_MAX = 32_768;

/** Google documents this value for calls without a signature; it is not checked. */
const UNCHECKED = 'skip_thought_signature_validator';

/** A tool call as the server made it, with the data that it wants back. */
interface KeptCall {
  /** The server's id of the call. */
  id: string;
  /** Google: the field `extra_content` of the call. */
  signature?: unknown;
  /** OpenRouter: the field `reasoning_details` of the message; stored with its first call. */
  details?: readonly unknown[];
  /** The Responses API: items before the calls, for the model that made them; stored with the first call. */
  reasoning?: { model: string; items: readonly JsonRecord[] };
}

/**
 * Since Gemini 3, the reasoning before a tool call must be sent back with its result. Google's interface has it as a
 * signature in `extra_content`, OpenRouter in `reasoning_details`:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens. Clients drop both, so they are kept here. Clients get new ids
 * of calls, since servers repeat theirs (`tool_0_search`), and no user may get the reasoning of another's answer.
 */
export class KeptCalls {
  readonly #byId = lruCache<string, KeptCall>(CALLS_MAX);

  keep(ownId: string, call: KeptCall): void {
    const { length } = JSON.stringify([call.signature, call.details, call.reasoning]);
    this.#byId.set(ownId, length <= REASONING_UNITS_MAX ? call : { id: call.id });
  }

  /** The id that the server gave the call; if another node or server made the call, the caller's id. */
  idOf(ownId: string): string {
    return this.#byId.get(ownId)?.id ?? ownId;
  }

  /** Fields of the call for Google. @param isFirst the call is the first of its message */
  signatureOf(ownId: string, isFirst: boolean): JsonRecord {
    const signature = this.#byId.get(ownId)?.signature;
    if (signature !== undefined) return { extra_content: signature };
    return isFirst ? { extra_content: { google: { thought_signature: UNCHECKED } } } : {};
  }

  /** Fields of the message for OpenRouter. @param ownId the id of its first call */
  detailsOf(ownId: string): JsonRecord {
    const details = this.#byId.get(ownId)?.details;
    return details ? { reasoning_details: details } : {};
  }

  /** Items for the Responses API. @param ownId the id of the message's first call */
  reasoningOf(ownId: string, model: string): readonly JsonRecord[] {
    const reasoning = this.#byId.get(ownId)?.reasoning;
    return reasoning?.model === model ? reasoning.items : [];
  }
}

/** Collects the data that is kept of one answer. */
export class CallKeeper {
  readonly #kept: KeptCalls;
  /** By the server's position and id of the call. */
  readonly #calls = new Map<string, { ownId: string; call: KeptCall }>();
  readonly #details: JsonRecord[] = [];
  readonly #reasoning: JsonRecord[] = [];
  #model = '';

  constructor(kept: KeptCalls) {
    this.#kept = kept;
  }

  /** The id for the client. @param id null in later pieces of a call, and from servers without ids */
  ownId(position: number, id: string | null, extra: unknown): string | null {
    if (id === null) return null;
    const key = `${position} ${id}`;
    let known = this.#calls.get(key);
    if (!known) {
      known = { ownId: newCallId(), call: { id } };
      this.#calls.set(key, known);
    }
    if (asRecord(extra)?.['google'] !== undefined) known.call.signature = extra;
    return known.ownId;
  }

  /** In a stream, a detail comes in consecutive pieces. */
  addDetails(value: unknown): void {
    for (const item of asArray(value) ?? []) {
      const piece = asRecord(item);
      if (!piece) continue;
      const last = this.#details.at(-1);
      const continues = last && last['type'] === piece['type'] && last['index'] === piece['index'];
      if (continues) this.#details[this.#details.length - 1] = joined(last, piece);
      else this.#details.push(piece);
    }
  }

  addReasoning(item: JsonRecord, model: string): void {
    this.#reasoning.push(item);
    this.#model = model;
  }

  end(): void {
    const [first, ...others] = this.#calls.values();
    if (!first) return;
    this.#kept.keep(first.ownId, {
      ...first.call,
      ...(this.#details.length > 0 && { details: this.#details }),
      ...(this.#reasoning.length > 0 && {
        reasoning: { model: this.#model, items: this.#reasoning },
      }),
    });
    for (const { ownId, call } of others) this.#kept.keep(ownId, call);
  }
}

function joined(first: JsonRecord, second: JsonRecord): JsonRecord {
  const both = { ...first, ...second };
  for (const field of ['text', 'summary', 'data']) {
    const [start, end] = [first[field], second[field]];
    if (typeof start === 'string' && typeof end === 'string') both[field] = start + end;
  }
  return both;
}
