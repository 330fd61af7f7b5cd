import { z } from 'zod';
import type { StopSignal } from '../../lib/stop-signal.ts';
import type { Clock } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { readJson } from '../shared/body.ts';
import { abortFailure, acceptedOf, asProviderError } from '../shared/failures.ts';
import { request } from '../shared/http.ts';
import { readWire } from '../shared/wire.ts';
import { explainError } from './errors.ts';

const wireToken = z.object({ access_token: z.string().min(1), expires_at: z.number() });

/** A token is no longer used this long before it expires, milliseconds. */
const RENEW_BEFORE_MS = 60_000;
/** Time limit of a request to the token server, milliseconds. */
const TOKEN_TIMEOUT_MS = 20_000;
const TOKEN_ANSWER_MAX_BYTES = 64 * 1024;
/** Smaller Unix times are seconds: the API reference shows seconds, Sber's own SDK milliseconds. */
const SECONDS_BELOW = 100_000_000_000;

interface TokenSource {
  authUrl: string;
  /** The authorization key: base64 of the client's id and secret. */
  credentials: string | undefined;
  scope: string;
  ca(): Promise<string | undefined>;
  clock: Clock;
}

interface Token {
  text: string;
  expiresAt: number;
}

/** The access token of a GigaChat account; a token is valid for half an hour. */
export class AccessToken {
  readonly #source: TokenSource;
  #token: Token | undefined;
  #renewal: Promise<Token> | undefined;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /**
   * A token that stays valid for a while. Concurrent callers share one request, which continues when one of them stops
   * waiting.
   * @throws ProviderError if the token server returns none
   */
  async get(signal: StopSignal): Promise<string> {
    // Nothing is sent to the model before there is a token.
    const stopped = () => abortFailure(signal, false);
    if (signal.aborted) throw stopped();
    const { clock } = this.#source;
    const token = this.#token;
    if (token && token.expiresAt - RENEW_BEFORE_MS > clock.now()) return token.text;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return (await untilAborted(this.#renewal, signal, stopped)).text;
  }

  /** Call it if the server refused this token: the next call gets a new one. */
  forget(text: string): void {
    if (this.#token?.text === text) this.#token = undefined;
  }

  async #renew(): Promise<Token> {
    try {
      return (this.#token = await this.#fetch());
    } catch (error) {
      // Nothing was sent to the model.
      throw acceptedOf(asProviderError(error), false);
    }
  }

  async #fetch(): Promise<Token> {
    const { authUrl, credentials, scope } = this.#source;
    const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
    const response = await request({
      url: authUrl,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        rquid: crypto.randomUUID(),
        authorization: `Basic ${credentials ?? ''}`,
      },
      body: new URLSearchParams({ scope }).toString(),
      signal,
      secret: credentials,
      explain: explainError,
      ca: await this.#source.ca(),
    });
    const body = await readJson(response, TOKEN_ANSWER_MAX_BYTES, signal);
    const { access_token: text, expires_at: time } = readWire(wireToken, body);
    return { text, expiresAt: time < SECONDS_BELOW ? time * 1000 : time };
  }
}
