import type { StopSignal } from '../../lib/stop-signal.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { EMBEDDINGS_ANSWER_MAX_BYTES, IMAGE_ANSWER_MAX_BYTES, readBytes } from '../shared/body.ts';
import { caFile } from '../shared/ca-file.ts';
import { afterAcceptance } from '../shared/failures.ts';
import { imageAnswer } from '../shared/images.ts';
import { JsonClient } from '../shared/http.ts';
import { readStream } from '../shared/text-stream.ts';
import { Omissions, type Converted } from '../shared/unsupported.ts';
import { withExtra } from '../shared/merge.ts';
import type { Secrets } from '../shared/reported-failure.ts';
import { secretsOf } from '../shared/secrets.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
import {
  ProviderError,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { AccessToken } from './access-token.ts';
import { CompletionReader } from './answer.ts';
import { embeddingAnswer } from './embeddings.ts';
import { errorIn, explainError } from './errors.ts';
import { imageBody, imageFileId } from './image.ts';
import { chatBody, traitsOf, type ServerTraits } from './request.ts';
import type { ToolNames } from './tool-names.ts';

export const GIGACHAT_BASE_URL = 'https://api.giga.chat/v1';
const CHAT_PATH = '/chat/completions';
const STANDARD_AUTH_URL = 'https://ngw.devices.sberbank.ru:9443/api/v2/oauth';

export const gigaChatScopes = [
  'GIGACHAT_API_PERS',
  'GIGACHAT_API_B2B',
  'GIGACHAT_API_CORP',
] as const;

/**
 * Sber's GigaChat. Its servers have certificates of the Russian Trusted Root CA, which systems do not trust by default:
 * the option `ca_file` names the file of that CA (or NODE_EXTRA_CA_CERTS names it, for the whole server).
 */
export class GigaChatProvider implements Provider {
  readonly #baseUrl: string;
  readonly #traits: ServerTraits;
  readonly #ca: ReturnType<typeof caFile>;
  readonly #token: AccessToken;
  readonly #headers: ProviderSetup['headers'];
  readonly #extraBody: ProviderSetup['extraBody'];

  constructor(
    setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey' | 'options' | 'headers' | 'extraBody'>,
    clock: Clock = systemClock,
  ) {
    const { options } = setup;
    this.#headers = setup.headers;
    this.#extraBody = setup.extraBody;
    this.#baseUrl = setup.baseUrl ?? GIGACHAT_BASE_URL;
    this.#traits = traitsOf(this.#baseUrl);
    this.#ca = caFile(options['ca_file']);
    this.#token = new AccessToken({
      authUrl: options['auth_url'] ?? STANDARD_AUTH_URL,
      credentials: setup.apiKey,
      scope: options['scope'] ?? gigaChatScopes[0],
      ca: this.#ca,
      clock,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    return this.#chat(this.#converted(request, false), request, signal);
  }

  /** Images use the same operation, but the operator's fields are only for texts. */
  #converted(request: TextRequest, stream: boolean) {
    const converted = chatBody(request, this.#traits, stream);
    const body: object = converted.body;
    return this.#extraBody
      ? { ...converted, body: withExtra({ ...body }, this.#extraBody) }
      : converted;
  }

  #secretsOf(token: string): Secrets {
    return secretsOf({ apiKey: token, headers: this.#headers });
  }

  #chat(
    converted: Converted<object> & { names?: ToolNames },
    request: TextRequest | ImageRequest,
    signal: StopSignal,
  ): Promise<TextAnswer> {
    return this.#authorized(signal, async (client, token) => {
      const body = await client.postForJson(CHAT_PATH, converted.body, request, signal);
      return new CompletionReader(converted, this.#secretsOf(token)).whole(body);
    });
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    const open = () =>
      this.#authorized(signal, async (client, token) => {
        const converted = this.#converted(request, true);
        const bytes = await client.postForEvents(CHAT_PATH, converted.body, request, signal);
        return { bytes, events: new CompletionReader(converted, this.#secretsOf(token)) };
      });
    return readStream(open, signal);
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const answer = await this.#chat(imageBody(request), request, signal);
    const { usage, warnings } = answer;
    const path = `/files/${imageFileId(answer)}/content`;
    try {
      const bytes = await this.#authorized(signal, async (client) => {
        const response = await client.get(path, request, signal);
        return readBytes(response, IMAGE_ANSWER_MAX_BYTES, signal);
      });
      return imageAnswer(bytes, { usage, seed: null, warnings });
    } catch (error) {
      throw afterAcceptance(error, usage);
    }
  }

  embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    return this.#authorized(signal, async (client) => {
      const omissions = new Omissions(request);
      omissions.addAll('dimensions');
      const { model, input } = request;
      const max = EMBEDDINGS_ANSWER_MAX_BYTES;
      const body = await client.postForData('/embeddings', { model, input }, request, signal, max);
      return embeddingAnswer(body, input.length, omissions.warnings);
    });
  }

  /** A token can become invalid before it expires: then the call is repeated once, with a new token. */
  async #authorized<T>(
    signal: StopSignal,
    work: (client: JsonClient, token: string) => Promise<T>,
  ): Promise<T> {
    const token = await this.#token.get(signal);
    try {
      return await work(await this.#client(token), token);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.status !== 401) throw error;
      this.#token.forget(token);
    }
    const fresh = await this.#token.get(signal);
    return work(await this.#client(fresh), fresh);
  }

  async #client(token: string): Promise<JsonClient> {
    return new JsonClient({
      baseUrl: this.#baseUrl,
      headers: { authorization: `Bearer ${token}`, ...this.#headers },
      secret: this.#secretsOf(token),
      explain: explainError,
      errorIn,
      ca: await this.#ca(),
    });
  }
}
