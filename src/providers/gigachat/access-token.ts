import type { StopSignal } from '../../lib/stop-signal.ts';
import type { Clock } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { readJson } from '../shared/body.ts';
import {
  abortFailure,
  asProviderError,
  incomprehensible,
  notAcceptedOf,
} from '../shared/failures.ts';
import { request } from '../shared/http.ts';
import { asRecord } from '../shared/json.ts';
import { explainError } from './errors.ts';

/** How long before its end a token is no longer used, milliseconds. */
const RENEW_BEFORE_MS = 60_000;
/** How long the server of tokens may take, milliseconds. */
const TOKEN_TIMEOUT_MS = 20_000;
const TOKEN_ANSWER_MAX_BYTES = 64 * 1024;
/** Unix times below this are in seconds: the reference shows seconds, Sber's own SDK says milliseconds. */
const SECONDS_BELOW = 100_000_000_000;

export interface TokenSource {
  authUrl: string;
  /** The key of authorization: base64 of the client's id and secret. */
  credentials: string | undefined;
  scope: string;
  ca(): Promise<string | undefined>;
  clock: Clock;
}

interface Token {
  text: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The access token of a GigaChat account, which lives for half an hour. */
export class AccessToken {
  readonly #source: TokenSource;
  #token: Token | undefined;
  #renewal: Promise<Token> | undefined;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /**
   * A token that is good for a while yet. However many ask at once, one request is made for them all;
   * a caller who stops waiting does not stop it.
   * @throws ProviderError when there is none to be had
   */
  async get(signal: StopSignal): Promise<string> {
    // The model is asked only with a token: who leaves before has asked it for nothing.
    const stopped = () => abortFailure(signal, false);
    if (signal.aborted) throw stopped();
    const { clock } = this.#source;
    const token = this.#token;
    if (token && token.expiresAt - RENEW_BEFORE_MS > clock.now()) return token.text;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return (await untilAborted(this.#renewal, signal, stopped)).text;
  }

  /** The server refused this one: the next call gets another. */
  forget(text: string): void {
    if (this.#token?.text === text) this.#token = undefined;
  }

  async #renew(): Promise<Token> {
    try {
      this.#token = await this.#fetch();
      return this.#token;
    } catch (error) {
      // However the server of tokens failed, the model has been asked for nothing.
      throw notAcceptedOf(asProviderError(error));
    }
  }

  async #fetch(): Promise<Token> {
    const { authUrl, credentials, scope } = this.#source;
    const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
    const response = await request({
      method: 'POST',
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
    return readToken(await readJson(response, TOKEN_ANSWER_MAX_BYTES, signal));
  }
}

/** `{"access_token", "expires_at"}` */
function readToken(body: unknown): Token {
  const answer = asRecord(body);
  const text = answer?.['access_token'];
  const expiresAt = answer?.['expires_at'];
  if (typeof text !== 'string' || text === '' || typeof expiresAt !== 'number') {
    throw incomprehensible('it is no access token');
  }
  return { text, expiresAt: expiresAt < SECONDS_BELOW ? expiresAt * 1000 : expiresAt };
}
