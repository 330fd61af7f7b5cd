import { pause } from '../../lib/pause.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { IMAGE_ANSWER_MAX_BYTES, readJson } from '../shared/body.ts';
import { afterAcceptance, asProviderError } from '../shared/failures.ts';
import { imageAnswer } from '../shared/image-answer.ts';
import { JsonClient } from '../shared/json-client.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import {
  noUsage,
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
import { OwnIds, withOwnIds } from './call-ids.ts';
import { embedEach } from './embeddings.ts';
import { explainError } from './errors.ts';
import { imageBody } from './image-request.ts';
import { readOperation } from './operation.ts';
import { textRequest } from './text-request.ts';

export const YANDEX_TEXT_BASE_URL = 'https://ai.api.cloud.yandex.net/v1';
const STANDARD_IMAGE_BASE_URL = 'https://llm.api.cloud.yandex.net';
/** From one question for an image to the next, and before a text is sent again; seconds. */
const PAUSE_SECONDS = 1;
const MS_PER_SECOND = 1000;
/** So often may a text of a list be refused for the quota, which is 10 calls a second at first. */
const REFUSALS_MAX = 10;
/** So many questions in a row may fail before the image is given up. */
const POLL_FAILURES_MAX = 5;

/** The headers of a call to Yandex Cloud with an API key. */
export function yandexHeaders(setup: Pick<ProviderSetup, 'apiKey' | 'options'>): {
  authorization: string;
  'openai-project': string;
} {
  return {
    authorization: `Api-Key ${setup.apiKey ?? ''}`,
    'openai-project': folderOf(setup),
  };
}

/**
 * Of a list of texts: until one is answered, a refusal is one of the whole; after a failure, nothing is worth sending
 * again.
 */
interface Patience {
  state: 'untried' | 'answered' | 'failed';
}

/** The part of it that speaks OpenAI's dialect. */
type CompatiblePart = Pick<Required<Provider>, 'generateText' | 'streamText' | 'embed'>;

/** Yandex AI Studio: texts and embeddings in OpenAI's dialect, and images of YandexART in its own. */
export class YandexProvider implements Provider {
  readonly #folder: string;
  readonly #apiKey: string | undefined;
  readonly #compatible: CompatiblePart;
  readonly #images: JsonClient;
  readonly #pauseMs: number;

  /** @param compatible calls the OpenAI-compatible part with `yandexHeaders` */
  constructor(
    setup: Pick<ProviderSetup, 'apiKey' | 'options'>,
    compatible: CompatiblePart,
    { pauseSeconds = PAUSE_SECONDS }: { pauseSeconds?: number } = {},
  ) {
    this.#folder = folderOf(setup);
    this.#apiKey = setup.apiKey;
    this.#compatible = compatible;
    this.#pauseMs = pauseSeconds * MS_PER_SECOND;
    this.#images = new JsonClient({
      baseUrl: setup.options['image_base_url'] ?? STANDARD_IMAGE_BASE_URL,
      headers: { authorization: `Api-Key ${setup.apiKey ?? ''}` },
      secret: setup.apiKey,
      explain: explainError,
      errorInAnswer: () => undefined,
    });
  }

  async generateText(asked: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const { request, warnings } = textRequest(asked, this.#folder);
    const answer = withOwnIds(await this.#compatible.generateText(request, signal));
    return { ...answer, warnings: [...warnings, ...answer.warnings] };
  }

  async *streamText(asked: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    const { request, warnings } = textRequest(asked, this.#folder);
    const ids = new OwnIds();
    for await (const parts of this.#compatible.streamText(request, signal)) {
      yield parts.map((told) => {
        const part = ids.part(told);
        if (part.type !== 'finish') return part;
        const { answer } = part;
        return {
          type: 'finish',
          answer: { ...answer, warnings: [...warnings, ...answer.warnings] },
        };
      });
    }
  }

  /** A list has more texts than the quota has calls a second: what is refused for that is sent again. */
  embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    const patience: Patience = { state: 'untried' };
    const embed = (one: EmbeddingRequest) => this.#embedPatiently(one, patience, signal);
    return embedEach(embed, this.#folder, request);
  }

  async #embedPatiently(
    one: EmbeddingRequest,
    patience: Patience,
    signal: StopSignal,
  ): Promise<EmbeddingAnswer> {
    for (let refusals = 0; ; refusals++) {
      try {
        const answer = await this.#compatible.embed(one, signal);
        if (patience.state === 'untried') patience.state = 'answered';
        return answer;
      } catch (error) {
        const mayPass = asProviderError(error).fault === 'busy' && refusals < REFUSALS_MAX;
        const again = (): boolean => mayPass && patience.state === 'answered';
        if (again()) await pause(this.#pauseMs, signal);
        // Another text may have failed meanwhile.
        if (again()) continue;
        patience.state = 'failed';
        throw error;
      }
    }
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const { body, seed, warnings } = imageBody(request, this.#folder);
    const path = '/foundationModels/v1/imageGenerationAsync';
    const started = await this.#images.postForJson(path, body, request, signal);
    const first = readOperation(started, this.#apiKey);
    const image = first.done ? first.image : await this.#wait(first.id, request, signal);
    return imageAnswer(image, { usage: noUsage, seed, warnings });
  }

  /** Asks until the image is there; how long that may take, the signal's deadline says. */
  async #wait(id: string, request: ImageRequest, signal: StopSignal): Promise<Uint8Array> {
    for (let failures = 0; ;) {
      await pause(this.#pauseMs, signal);
      let told: unknown;
      try {
        const path = `/operations/${encodeURIComponent(id)}`;
        const response = await this.#images.get(path, request, signal);
        told = await readJson(response, IMAGE_ANSWER_MAX_BYTES, signal);
        failures = 0;
      } catch (error) {
        failures++;
        const isPassing = ['busy', 'unreachable'].includes(asProviderError(error).fault);
        // The image is being made, and paid for: asking anew must not begin another.
        if (!isPassing || failures > POLL_FAILURES_MAX) throw afterAcceptance(error, noUsage);
        continue;
      }
      const progress = readOperation(told, this.#apiKey);
      if (progress.done) return progress.image;
    }
  }
}

/** @throws ProviderError when there is no folder: the catalogue asks for it before */
function folderOf({ options }: Pick<ProviderSetup, 'options'>): string {
  const folder = options['folder'];
  if (folder !== undefined) return folder;
  const message = 'The provider needs the option folder.';
  throw new ProviderError('failed', message, { accepted: false });
}
