import type { StopSignal } from '../../lib/stop-signal.ts';
import { JsonClient } from '../shared/json-client.ts';
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
import { textAnswer } from './answer.ts';
import { errorInAnswer, explainError } from './errors.ts';
import { MessageReader } from './events.ts';
import { messagesBody } from './request.ts';

const STANDARD_BASE_URL = 'https://api.anthropic.com/v1';
/** The version of the wire format that these converters speak. */
const API_VERSION = '2023-06-01';
const PATH = '/messages';

/** Anthropic, and every server that speaks its Messages API. */
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
      errorInAnswer,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const asked = messagesBody(request, false);
    const body = await this.#client.postForJson(PATH, asked.body, request, signal);
    return textAnswer(body, asked, this.#apiKey);
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const asked = messagesBody(request, true);
      const bytes = await this.#client.postForEvents(PATH, asked.body, request, signal);
      return { bytes, events: new MessageReader(asked, this.#apiKey) };
    }, signal);
  }

  generateImage(): Promise<ImageAnswer> {
    return Promise.reject(new UnsupportedError('model', 'This provider makes no images.'));
  }
}
