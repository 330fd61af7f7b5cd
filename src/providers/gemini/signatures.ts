import { LRUCache } from 'lru-cache';

/** Calls whose signature is kept until their results come back, on this node. */
const CALLS_MAX = 4_096;
/** Longest signature that is kept, in UTF-16 units; together at most 32 MB. */
const SIGNATURE_MAX = 8_192;

/** What Google documents for calls whose signature was lost or never was: it is not checked then. */
const UNCHECKED = 'skip_thought_signature_validator';

/** The signatures of one request's calls. */
export interface Signatures {
  /** @param isFirst whether the call is the first of its message */
  of(callId: string, isFirst: boolean): string | undefined;
}

/**
 * From Gemini 3 on a function call carries a signature of the thought behind it, and must bring it back
 * with its result. Clients know nothing of it, so it waits here; another node, or a call of another
 * model, sends the documented stand-in.
 */
export class SignatureStore {
  readonly #byCall = new LRUCache<string, string>({ max: CALLS_MAX });

  keep(callId: string, signature: string): void {
    if (signature.length <= SIGNATURE_MAX) this.#byCall.set(callId, signature);
  }

  forModel(model: string): Signatures {
    const isNeeded = !/(?:^|\/)gemini-[12](?!\d)/.test(model);
    return {
      of: (callId, isFirst) =>
        this.#byCall.get(callId) ?? (isNeeded && isFirst ? UNCHECKED : undefined),
    };
  }
}
