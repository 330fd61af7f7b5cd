import { pause } from '../../lib/pause.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { IMAGE_ANSWER_MAX_BYTES, readJson } from '../shared/body.ts';
import { afterAcceptance, asProviderError } from '../shared/failures.ts';
import { imageAnswer } from '../shared/images.ts';
import { JsonClient } from '../shared/http.ts';
import type { Secrets } from '../shared/reported-failure.ts';
import { secretsOf } from '../shared/secrets.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
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
import { OwnIds } from './call-ids.ts';
import { embedEach } from './embeddings.ts';
import { explainError, readOperation } from './operation.ts';
import { imageBody, textRequest } from './request.ts';

export const YANDEX_TEXT_BASE_URL = 'https://ai.api.cloud.yandex.net/v1';
const STANDARD_IMAGE_BASE_URL = 'https://llm.api.cloud.yandex.net';
/** The pause between two polls for an image, and before a text is sent again, seconds. */
const PAUSE_SECONDS = 1;
const MS_PER_SECOND = 1000;
/** How many consecutive polls may fail before the image is given up. */
const POLL_FAILURES_MAX = 5;

/** The headers of a call to Yandex Cloud with an API key. */
export function yandexHeaders(setup: Pick<ProviderSetup, 'apiKey' | 'options'>) {
  return { ...authorization(setup), 'openai-project': folderOf(setup) };
}

function authorization({ apiKey = '' }: Pick<ProviderSetup, 'apiKey'>) {
  return { authorization: `Api-Key ${apiKey}` };
}

type CompatiblePart = Pick<Required<Provider>, 'generateText' | 'streamText' | 'embed'>;

/** Yandex AI Studio: texts and embeddings in OpenAI's dialect, images of YandexART in its own. */
export class YandexProvider implements Provider {
  readonly #folder: string;
  readonly #secrets: Secrets;
  readonly #compatible: CompatiblePart;
  readonly #images: JsonClient;
  readonly #pauseMs: number;

  /** @param compatible calls the OpenAI-compatible part with `yandexHeaders` */
  constructor(
    setup: Pick<ProviderSetup, 'apiKey' | 'options' | 'headers'>,
    compatible: CompatiblePart,
    { pauseSeconds = PAUSE_SECONDS }: { pauseSeconds?: number } = {},
  ) {
    this.#folder = folderOf(setup);
    this.#secrets = secretsOf(setup);
    this.#compatible = compatible;
    this.#pauseMs = pauseSeconds * MS_PER_SECOND;
    this.#images = new JsonClient({
      baseUrl: setup.options['image_base_url'] ?? STANDARD_IMAGE_BASE_URL,
      headers: { ...authorization(setup), ...setup.headers },
      secret: this.#secrets,
      explain: explainError,
    });
  }

  async generateText(original: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const { request, warnings } = textRequest(original, this.#folder);
    const answer = new OwnIds().answer(await this.#compatible.generateText(request, signal));
    return withWarnings(warnings, answer);
  }

  async *streamText(original: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    const { request, warnings } = textRequest(original, this.#folder);
    const ids = new OwnIds();
    for await (const parts of this.#compatible.streamText(request, signal)) {
      yield parts.map((received) => {
        const part = ids.part(received);
        if (part.type !== 'finish') return part;
        return { ...part, answer: withWarnings(warnings, part.answer) };
      });
    }
  }

  embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    const embed = (one: EmbeddingRequest) => this.#compatible.embed(one, signal);
    return embedEach(embed, this.#folder, request, () => pause(this.#pauseMs, signal));
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const { body, seed, warnings } = imageBody(request, this.#folder);
    const path = '/foundationModels/v1/imageGenerationAsync';
    const started = await this.#images.postForJson(path, body, request, signal);
    const first = readOperation(started, this.#secrets);
    const image = first.done ? first.image : await this.#wait(first.id, request, signal);
    return imageAnswer(image, { usage: noUsage, seed, warnings });
  }

  /** Polls until the image is ready; the signal's deadline limits the time. */
  async #wait(id: string, request: ImageRequest, signal: StopSignal): Promise<Uint8Array> {
    for (let failures = 0; ;) {
      await pause(this.#pauseMs, signal);
      let operation: unknown;
      try {
        const path = `/operations/${encodeURIComponent(id)}`;
        const response = await this.#images.get(path, request, signal);
        operation = await readJson(response, IMAGE_ANSWER_MAX_BYTES, signal);
        failures = 0;
      } catch (error) {
        failures++;
        const isPassing = ['busy', 'unreachable'].includes(asProviderError(error).fault);
        // The image is being made and is paid for, so the request must not be repeated.
        if (!isPassing || failures > POLL_FAILURES_MAX) throw afterAcceptance(error, noUsage);
        continue;
      }
      const progress = readOperation(operation, this.#secrets);
      if (progress.done) return progress.image;
    }
  }
}

function withWarnings<Answer extends { warnings: string[] }>(
  warnings: readonly string[],
  answer: Answer,
): Answer {
  return { ...answer, warnings: [...warnings, ...answer.warnings] };
}

/** @throws ProviderError if there is no folder; the catalogue checks it before */
function folderOf({ options }: Pick<ProviderSetup, 'options'>): string {
  const folder = options['folder'];
  if (folder !== undefined) return folder;
  const message = 'The provider needs the option folder.';
  throw new ProviderError('failed', message, { accepted: false });
}
