import type { Provider, ProviderError } from '../spec.ts';
import { NotSentError } from './attempt.ts';

/** How long a refused key (401) rests, seconds. The operator has to replace it. */
export const KEY_REST_REFUSED_SECONDS = 60;
/** How long a rate-limited key (429) rests if the provider gives no time, seconds. */
export const KEY_REST_BUSY_SECONDS = 5;
/** Limits of the time that a provider can give, seconds. */
export const KEY_REST_MIN_SECONDS = 1;
export const KEY_REST_MAX_SECONDS = 300;

/** A key of a provider, with a separate `Provider`. */
export interface RingKey {
  provider: Provider;
  /** Its share of the calls, relative to the other keys. */
  weight: number;
  /** Shown to admins instead of the key. */
  hint: string | null;
}

interface Place extends RingKey {
  /** How far it is behind its share, in weights. */
  credit: number;
  /** On the monotonic clock; in the past unless it rests. */
  restsUntil: number;
}

/**
 * The keys of one provider. They take turns by their weights, evenly mixed: in any run as long as the sum of the
 * weights, each key gets exactly its weight. A key that the provider refuses rests, and the others continue. A single
 * key never rests, since no other key could take over.
 */
export class KeyRing {
  readonly #places: Place[];
  readonly #monotonic: () => number;

  /** @param keys at least one @param monotonic monotonic milliseconds */
  constructor(keys: readonly RingKey[], monotonic: () => number) {
    this.#places = keys.map((key) => ({ ...key, credit: 0, restsUntil: -Infinity }));
    this.#monotonic = monotonic;
  }

  get size(): number {
    return this.#places.length;
  }

  /** The key whose turn it is. @throws NotSentError `keys_resting` if all keys rest */
  pick(): RingKey {
    const now = this.#monotonic();
    let chosen: Place | undefined;
    let total = 0;
    for (const place of this.#places) {
      if (place.restsUntil > now) continue;
      place.credit += place.weight;
      total += place.weight;
      if (!chosen || place.credit > chosen.credit) chosen = place;
    }
    if (!chosen) throw this.#allRest(now);
    chosen.credit -= total;
    return chosen;
  }

  /** Lets the key rest if it caused the failure. @returns whether another key can take over */
  putDown(key: RingKey, error: ProviderError): boolean {
    const seconds = restSeconds(error);
    const place = this.#places.find((each) => each === key);
    if (seconds === undefined || !place || this.#places.length === 1) return false;
    const now = this.#monotonic();
    place.restsUntil = now + seconds * 1000;
    return this.#places.some(({ restsUntil }) => restsUntil <= now);
  }

  #allRest(now: number): NotSentError {
    const next = Math.min(...this.#places.map(({ restsUntil }) => restsUntil));
    const message = 'The provider refused all keys recently. Try again later.';
    return new NotSentError('keys_resting', message, {
      retryAfterSeconds: Math.max(1, Math.ceil((next - now) / 1000)),
    });
  }
}

/** Undefined: the key did not cause the failure, or the request may have been accepted. */
function restSeconds({ accepted, status, retryAfterSeconds }: ProviderError): number | undefined {
  if (accepted) return undefined;
  if (status === 401) return KEY_REST_REFUSED_SECONDS;
  if (status !== 429) return undefined;
  const seconds = retryAfterSeconds ?? KEY_REST_BUSY_SECONDS;
  return Math.min(Math.max(seconds, KEY_REST_MIN_SECONDS), KEY_REST_MAX_SECONDS);
}

/** A hint would reveal too much of a shorter key. Such a key is shown by its position. */
const HINTED_MIN = 12;

/** The last four characters of a key; the position of a short one. */
export function keyHint(key: string | undefined, index: number): string | null {
  if (key === undefined) return null;
  return key.length >= HINTED_MIN ? `…${key.slice(-4)}` : `#${index + 1}`;
}
