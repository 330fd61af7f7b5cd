import { createHmac } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Sleep } from '../crawl/options.ts';
import { FetchFailure } from '../page/failures.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';

/** Milliseconds before each further attempt; then the event waits for its next turn. */
const RETRY_AFTER_MS = [1_000, 5_000, 25_000] as const;
/** The header with the time and the signature. */
const SIGNATURE_HEADER = 'zastava-signature';

export interface WebhookOptions {
  url: string;
  secret: string;
  fetch: Pick<GuardedFetch, 'post'>;
  clock: Clock;
  sleep: Sleep;
}

/** Delivers signed events to an address of the operator. */
export class Webhook {
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  /**
   * Sends an event until it is accepted with a status of 2xx, at most four times.
   * @returns why it was not accepted; undefined if it was
   */
  async deliver(body: string, signal: AbortSignal): Promise<string | undefined> {
    let why = await this.#attempt(body, signal);
    for (const delay of RETRY_AFTER_MS) {
      if (why === undefined) return undefined;
      await this.#options.sleep(delay, signal);
      if (signal.aborted) return 'the watch was ended';
      why = await this.#attempt(body, signal);
    }
    return why;
  }

  async #attempt(body: string, signal: AbortSignal): Promise<string | undefined> {
    const { url, secret, fetch, clock } = this.#options;
    const headers = {
      'content-type': 'application/json',
      // Signed again at each attempt, so that an event that waited is not taken for a replay.
      [SIGNATURE_HEADER]: signatureOf(secret, Math.floor(clock.now() / 1000), body),
    };
    try {
      const status = await fetch.post(url, headers, body, signal);
      return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
    } catch (error) {
      if (error instanceof FetchFailure) return error.message;
      throw error;
    }
  }
}

/**
 * The value of the header: `t=SECONDS,v1=HEX`, with the HMAC-SHA256 of `SECONDS.BODY` under the secret.
 * @param seconds Unix time
 */
function signatureOf(secret: string, seconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}
