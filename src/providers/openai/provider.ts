import type { StopSignal } from '../../lib/stop-signal.ts';
import {
  EMBEDDINGS_ANSWER_MAX_BYTES,
  IMAGE_ANSWER_MAX_BYTES,
  SPEECH_ANSWER_MAX_BYTES,
  TEXT_ANSWER_MAX_BYTES,
} from '../shared/body.ts';
import { imageAnswer } from '../shared/images.ts';
import {
  needsFetching,
  withFetchedImages,
  withFetchedParts,
  type FetchingParts,
} from '../shared/fetched-parts.ts';
import { JsonClient } from '../shared/http.ts';
import type { PublicNetwork } from '../shared/public-get.ts';
import type { Secrets } from '../shared/reported-failure.ts';
import { secretsOf } from '../shared/secrets.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
import { readStream, type RawStream } from '../shared/text-stream.ts';
import type { Sent } from '../shared/unsupported.ts';
import type {
  EmbeddingAnswer,
  EmbeddingRequest,
  ImageAnswer,
  ImageEditRequest,
  ImageRequest,
  Provider,
  SpeechRequest,
  TextAnswer,
  TextPart,
  TextRequest,
  TranscriptAnswer,
  TranscriptionRequest,
} from '../spec.ts';
import { ChunkReader } from './answer.ts';
import { OPENAI_BASE_URL, type ServerTraits } from './dialect.ts';
import { readChoices } from './choices.ts';
import { COMPLETION_PATH, completionBody, CompletionReader } from './completion.ts';
import { needsResponses } from './effort.ts';
import { embeddingAnswer, embeddingBody } from './embeddings.ts';
import { errorIn, explainError } from './errors.ts';
import { RefusedHints } from './hints.ts';
import { editForm, imageBody, readImageBody } from './image.ts';
import { fetchImage } from './image-url.ts';
import { KeptCalls } from './kept-calls.ts';
import type { Place } from './place.ts';
import { chatBody } from './request.ts';
import { ResponseReader } from './responses/answer.ts';
import { responsesBody, showsReasoningInResponses } from './responses/request.ts';
import { serverOf, type Server } from './server.ts';
import { SPEECH_PATH, speechAnswer, speechBody } from './speech.ts';
import { readTranscript, TRANSCRIPTION_PATH, transcriptionForm } from './transcription.ts';

const CHAT_PATH = '/chat/completions';
const RESPONSES_PATH = '/responses';

type ResponsesCall = ReturnType<typeof responsesBody>;

interface OpenAiOptions extends Pick<
  ProviderSetup,
  'baseUrl' | 'apiKey' | 'headers' | 'extraBody'
> {
  options?: ProviderSetup['options'] | undefined;
  /** Fetches images and files by their URLs. */
  network?: PublicNetwork | undefined;
  /** Replace the traits that follow from the address. */
  traits?: Partial<ServerTraits> | undefined;
  /** Replace the header `authorization`. */
  authorization?: Readonly<Record<string, string>> | undefined;
}

/** OpenAI, and every server with compatible chat completions, images and embeddings. */
export class OpenAiProvider implements Provider {
  readonly #baseUrl: string;
  readonly #secrets: Secrets;
  readonly #place: Place;
  readonly #traits: ServerTraits;
  readonly #client: JsonClient;
  readonly #memory = { calls: new KeptCalls(), refused: new RefusedHints() };
  readonly #api: Server['api'];
  readonly #fetching: FetchingParts;

  constructor(setup: OpenAiOptions) {
    const { baseUrl = OPENAI_BASE_URL, apiKey, options, traits, headers, extraBody } = setup;
    this.#baseUrl = baseUrl;
    this.#secrets = secretsOf(setup);
    const server = serverOf(setup);
    this.#api = server.api;
    this.#place = server.place;
    this.#traits = { ...server.traits, ...traits };
    const { isOllama, files } = this.#traits;
    // OpenAI fetches images, but not files.
    const needsBytes: FetchingParts['needsBytes'] = ({ type }) =>
      isOllama || (type === 'file' && files === 'openai');
    this.#fetching = { needsBytes, network: setup.network };
    // Local servers need no key, and some refuse an empty header.
    const authorization =
      setup.authorization ?? (apiKey ? keyHeader(apiKey, options?.['api_version']) : {});
    this.#client = new JsonClient({
      baseUrl: this.#place.baseUrl,
      otherBaseUrl: this.#place.otherBaseUrl,
      headers: { ...authorization, ...headers },
      extraBody,
      secret: this.#secrets,
      explain: explainError,
      errorIn,
    });
  }

  get takesTokens(): boolean {
    return this.#traits.takesTokens;
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    if (request.completion) return this.#complete(request, signal);
    if (this.#goesToResponses(request)) {
      return this.#withResponsesHints(request, false, async ({ body, ...sent }) => {
        const answer = await this.#client.postForJson(RESPONSES_PATH, body, request, signal);
        return new ResponseReader(sent, this.#secrets).whole(answer);
      });
    }
    if (needsFetching(request, this.#fetching)) {
      return withFetchedParts(request, signal, this.#fetching, (fetched) =>
        this.generateText(fetched, signal),
      );
    }
    const converted = chatBody(request, this.#traits, false, this.#memory);
    let body: unknown;
    try {
      body = await this.#client.postForJson(
        this.#chatPath(request),
        converted.body,
        request,
        signal,
      );
    } catch (error) {
      // For a hint that the server refuses, nothing was done or charged: the call is made again without it.
      if (this.#memory.refused.learn(converted.body, error)) {
        return this.generateText(request, signal);
      }
      throw error;
    }
    const readOne = (one: unknown) => new ChunkReader(converted, this.#secrets).whole(one);
    const isPlain = request.n === undefined && !request.logprobs;
    return isPlain ? readOne(body) : readChoices(body, request, readOne);
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    if (request.completion) return this.#streamCompletion(request, signal);
    if (this.#goesToResponses(request)) {
      const open = async ({ body, ...sent }: ResponsesCall) => {
        const bytes = await this.#client.postForEvents(RESPONSES_PATH, body, request, signal);
        return { bytes, events: new ResponseReader(sent, this.#secrets) };
      };
      return readStream(() => this.#withResponsesHints(request, true, open), signal);
    }
    return readStream(() => this.#openChat(request, signal), signal);
  }

  async #openChat(request: TextRequest, signal: StopSignal): Promise<RawStream> {
    if (needsFetching(request, this.#fetching)) {
      return withFetchedParts(request, signal, this.#fetching, (fetched) =>
        this.#openChat(fetched, signal),
      );
    }
    const { body, ...sent } = chatBody(request, this.#traits, true, this.#memory);
    try {
      const bytes = await this.#client.postForEvents(
        this.#chatPath(request),
        body,
        request,
        signal,
      );
      return { bytes, events: new ChunkReader(sent, this.#secrets) };
    } catch (error) {
      // Refusals are learned here as above.
      if (this.#memory.refused.learn(body, error)) {
        return this.#openChat(request, signal);
      }
      throw error;
    }
  }

  async #complete(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const converted = completionBody(request, this.#traits, false);
    const path = this.#place.pathOf(request.model, COMPLETION_PATH);
    const body = await this.#client.postForJson(path, converted.body, request, signal);
    const readOne = (one: unknown) => new CompletionReader(converted, this.#secrets).whole(one);
    const { n = 1, logprobs, completion } = request;
    const answers = n * (completion?.prompts.length ?? 1);
    return answers > 1 || logprobs ? readChoices(body, { n: answers }, readOne) : readOne(body);
  }

  #streamCompletion(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const converted = completionBody(request, this.#traits, true);
      const path = this.#place.pathOf(request.model, COMPLETION_PATH);
      const bytes = await this.#client.postForEvents(path, converted.body, request, signal);
      return { bytes, events: new CompletionReader(converted, this.#secrets) };
    }, signal);
  }

  /** Only there do OpenAI's recent models reason before they call tools, and show their reasoning. */
  #goesToResponses(request: TextRequest): boolean {
    if (this.#api !== undefined) return this.#api === 'responses';
    if (!this.#traits.hasResponses || request.n !== undefined || request.logprobs) return false;
    return needsResponses(request) || showsReasoningInResponses(request);
  }

  /** Makes the call again for each hint that the server refuses: nothing was done or charged for it. */
  async #withResponsesHints<T>(
    request: TextRequest,
    stream: boolean,
    call: (converted: ResponsesCall) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const converted = responsesBody(request, stream, this.#memory);
      try {
        return await call(converted);
      } catch (error) {
        if (!this.#memory.refused.learn(converted.hints, error)) throw error;
      }
    }
  }

  #chatPath({ model }: TextRequest): string {
    return this.#place.pathOf(model, CHAT_PATH);
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const { body, ...sent } = imageBody(request);
    const path = this.#place.pathOf(request.model, '/images/generations');
    const max = IMAGE_ANSWER_MAX_BYTES;
    return this.#drawn(
      await this.#client.postForData(path, body, request, signal, max),
      sent,
      signal,
    );
  }

  editImage(request: ImageEditRequest, signal: StopSignal): Promise<ImageAnswer> {
    return withFetchedImages(request, signal, this.#fetching.network, async (files) => {
      const { form, ...sent } = editForm(request, files);
      const path = this.#place.pathOf(request.model, '/images/edits');
      const max = IMAGE_ANSWER_MAX_BYTES;
      const body = await this.#client.postForm(path, form, request, signal, max);
      return this.#drawn(body, sent, signal);
    });
  }

  /** The image of an answer, which may only contain its URL. */
  async #drawn(body: unknown, sent: Sent, signal: StopSignal): Promise<ImageAnswer> {
    const { image, usage } = readImageBody(body);
    const bytes =
      'bytes' in image ? image.bytes : await fetchImage(image.url, this.#baseUrl, signal);
    return imageAnswer(bytes, { usage, seed: sent.seed, warnings: sent.warnings });
  }

  async transcribe(request: TranscriptionRequest, signal: StopSignal): Promise<TranscriptAnswer> {
    const path = this.#place.pathOf(request.model, TRANSCRIPTION_PATH);
    const max = TEXT_ANSWER_MAX_BYTES;
    const form = transcriptionForm(request);
    return readTranscript(await this.#client.postForm(path, form, request, signal, max));
  }

  async speak(request: SpeechRequest, signal: StopSignal): Promise<ImageAnswer> {
    const path = this.#place.pathOf(request.model, SPEECH_PATH);
    const max = SPEECH_ANSWER_MAX_BYTES;
    const body = speechBody(request);
    return speechAnswer(await this.#client.postForBytes(path, body, request, signal, max), request);
  }

  async embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    const max = EMBEDDINGS_ANSWER_MAX_BYTES;
    const converted = embeddingBody(request, this.#traits);
    const path = this.#place.pathOf(request.model, '/embeddings');
    const body = await this.#client.postForData(path, converted, request, signal, max);
    return embeddingAnswer(body, request.input.length);
  }
}

/** Azure's older interface has its own header for the key. */
function keyHeader(apiKey: string, apiVersion: string | undefined): Record<string, string> {
  return apiVersion === undefined ? { authorization: `Bearer ${apiKey}` } : { 'api-key': apiKey };
}
