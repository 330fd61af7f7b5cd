import type { StopSignal } from '../../lib/stop-signal.ts';
import { JsonClient } from '../shared/http.ts';
import { readStream } from '../shared/text-stream.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import {
  UnsupportedError,
  type ImageAnswer,
  type Provider,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { MessageReader } from './answer.ts';
import { errorIn, explainError } from './errors.ts';
import { messagesBody } from './request.ts';

const STANDARD_BASE_URL = 'https://api.anthropic.com/v1';
/** The version of the wire format that these converters use. */
const API_VERSION = '2023-06-01';
const PATH = '/messages';

/** Anthropic, and every server with its Messages API. */
export class AnthropicProvider implements Provider {
  readonly #apiKey: string | undefined;
  readonly #client: JsonClient;

  constructor({ baseUrl = STANDARD_BASE_URL, apiKey }: Pick<ProviderSetup, 'baseUrl' | 'apiKey'>) {
    this.#apiKey = apiKey;
    this.#client = new JsonClient({
      baseUrl,
      headers: { 'anthropic-version': API_VERSION, ...(apiKey && { 'x-api-key': apiKey }) },
      secret: apiKey,
      explain: explainError,
      errorIn,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const converted = messagesBody(request, false);
    const body = await this.#client.postForJson(PATH, converted.body, request, signal);
    return new MessageReader(converted, this.#apiKey).whole(body);
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const converted = messagesBody(request, true);
      const bytes = await this.#client.postForEvents(PATH, converted.body, request, signal);
      return { bytes, events: new MessageReader(converted, this.#apiKey) };
    }, signal);
  }

  generateImage(): Promise<ImageAnswer> {
    return Promise.reject(new UnsupportedError('model', 'This provider does not generate images.'));
  }
}
