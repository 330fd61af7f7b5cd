import type { StopSignal } from '../../lib/stop-signal.ts';
import { withPath } from '../shared/base-url.ts';
import { JsonClient } from '../shared/http.ts';
import { collected, readStream } from '../shared/text-stream.ts';
import type { Secrets } from '../shared/reported-failure.ts';
import { secretsOf } from '../shared/secrets.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
import type { Provider, TextAnswer, TextPart, TextRequest } from '../spec.ts';
import { MessageReader } from './answer.ts';
import { errorIn, explainError } from './errors.ts';
import { messagesBody } from './request.ts';
import { SignedReasoning } from './signed-reasoning.ts';

export const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1';
/** The version of the wire format that these converters use. */
const API_VERSION = '2023-06-01';
const PATH = '/messages';
/** Above this cap Anthropic's own SDK refuses to call without a stream: the answer could take more than 10 minutes. */
const UNSTREAMED_MAX_TOKENS = 21_333;

/** Anthropic, and every server with its Messages API. */
export class AnthropicProvider implements Provider {
  readonly #secrets: Secrets;
  readonly #client: JsonClient;
  readonly #kept = new SignedReasoning();

  constructor(setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey' | 'headers' | 'extraBody'>) {
    const { baseUrl = ANTHROPIC_BASE_URL, apiKey, headers, extraBody } = setup;
    this.#secrets = secretsOf(setup);
    this.#client = new JsonClient({
      baseUrl,
      otherBaseUrl: withPath(baseUrl, '/v1'),
      headers: {
        'anthropic-version': API_VERSION,
        ...(apiKey && { 'x-api-key': apiKey }),
        ...headers,
      },
      extraBody,
      secret: this.#secrets,
      explain: explainError,
      errorIn,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    if (request.maxOutputTokens > UNSTREAMED_MAX_TOKENS) {
      return collected(this.streamText(request, signal));
    }
    const converted = messagesBody(request, false, this.#kept);
    const body = await this.#client.postForJson(PATH, converted.body, request, signal);
    return new MessageReader(converted, this.#secrets).whole(body);
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const converted = messagesBody(request, true, this.#kept);
      const bytes = await this.#client.postForEvents(PATH, converted.body, request, signal);
      return { bytes, events: new MessageReader(converted, this.#secrets) };
    }, signal);
  }
}
