import { lruCache } from '../../lib/lru-cache.ts';

/** The most calls whose signatures this node keeps until their results come back. */
const CALLS_MAX = 4_096;
/** The longest signature that is kept, in UTF-16 units; all together take at most 32 MB. */
const SIGNATURE_MAX = 8_192;

/** Google documents this value for calls without a signature; it is not checked. */
const UNCHECKED = 'skip_thought_signature_validator';

/** Gets the signature to send with a call; `isFirst`: the call is the first of its message. */
export type Signatures = (callId: string, isFirst: boolean) => string | undefined;

/**
 * Since Gemini 3, a function call has a signature of the model's reasoning, which must be sent back with its result.
 * Not every client gets and returns it, so it is kept here. For a call from another node or model, the documented
 * placeholder is sent.
 */
export class SignatureStore {
  readonly #byCall = lruCache<string, string>(CALLS_MAX);

  keep(callId: string, signature: string): void {
    if (signature.length <= SIGNATURE_MAX) this.#byCall.set(callId, signature);
  }

  forModel(model: string): Signatures {
    const isNeeded = !/(?:^|\/)gemini-[12](?!\d)/.test(model);
    return (callId, isFirst) =>
      this.#byCall.get(callId) ?? (isNeeded && isFirst ? UNCHECKED : undefined);
  }
}
