import { imageAnswer, decodeImage } from '../shared/image-answer.ts';
import { incomprehensible } from '../shared/failures.ts';
import { asArray, asRecord } from '../shared/json.ts';
import { LeftOut } from '../shared/unsupported.ts';
import { tokenCount } from '../shared/usage.ts';
import { asVector } from '../shared/vectors.ts';
import {
  noUsage,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type ProviderSetup,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { readWarnings, textAnswer } from './answer.ts';
import { sdkFailure } from './failure.ts';
import { loadProvider } from './load.ts';
import { languageOptions } from './request.ts';
import type { CallOptions, SdkProvider } from './specification.ts';
import { PartReader } from './stream.ts';

/** Texts of one call where a package tells no limit of its own. */
const EMBEDDINGS_PER_CALL = 96;

/** Any provider package of the Vercel AI SDK (specification 4) that the operator installed. */
export class AiSdkProvider implements Provider {
  readonly #setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey' | 'options'>;
  readonly #from: string;
  #loading: Promise<SdkProvider> | undefined;

  /** @param from the folder that the package is looked for from; by default this installation */
  constructor(
    setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey' | 'options'>,
    from: string = import.meta.dir,
  ) {
    this.#setup = setup;
    this.#from = from;
  }

  generateText(request: TextRequest, signal: AbortSignal): Promise<TextAnswer> {
    return this.#calling(signal, async (sdk) => {
      const model = sdk.languageModel(request.model);
      const asked = languageOptions(request, await model.supportedUrls, callOf(request, signal));
      return textAnswer(await model.doGenerate(asked.options), asked);
    });
  }

  async *streamText(request: TextRequest, signal: AbortSignal): AsyncGenerator<TextPart> {
    const { asked, reader } = await this.#calling(signal, async (sdk) => {
      const model = sdk.languageModel(request.model);
      const options = languageOptions(request, await model.supportedUrls, callOf(request, signal));
      const stream = asRecord(await model.doStream(options.options))?.['stream'];
      if (!(stream instanceof ReadableStream)) throw incomprehensible('it is no stream');
      return { asked: options, reader: (stream as ReadableStream<unknown>).getReader() };
    });
    const context = { signal, secret: this.#setup.apiKey, begun: true };
    const parts = new PartReader(asked, (error) => sdkFailure(error, context));
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw incomprehensible('it ended before its end');
        for (const part of parts.read(value)) {
          yield part;
          if (part.type === 'finish') return;
        }
      }
    } catch (error) {
      throw sdkFailure(error, context);
    } finally {
      // Also when the consumer leaves the loop: it closes the connection to the provider.
      await reader.cancel().catch(() => undefined);
    }
  }

  generateImage(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer> {
    return this.#calling(signal, async (sdk) => {
      const leftOut = new LeftOut(request);
      leftOut.addIf(request.quality, 'quality', 'This provider knows no degrees of quality.');
      const size = request.size === 'auto' ? undefined : request.size;
      const isShape = size?.includes(':') ?? false;
      const result = asRecord(
        await sdk.imageModel(request.model).doGenerate({
          ...callOf(request, signal),
          prompt: request.prompt,
          n: 1,
          size: isShape ? undefined : size,
          aspectRatio: isShape ? size : undefined,
          seed: request.seed,
          files: undefined,
          mask: undefined,
          providerOptions: {},
        }),
      );
      const told = asRecord(result?.['usage']);
      const usage = {
        ...noUsage,
        promptTokens: tokenCount(told?.['inputTokens']),
        completionTokens: tokenCount(told?.['outputTokens']),
        totalTokens: tokenCount(told?.['totalTokens']),
      };
      const image = asArray(result?.['images'])?.[0];
      const bytes = typeof image === 'string' ? decodeImage(image, usage) : image;
      if (!(bytes instanceof Uint8Array)) throw incomprehensible('it has no image', { usage });
      const warnings = [...leftOut.warnings, ...readWarnings(result?.['warnings'])];
      return imageAnswer(bytes, { usage, seed: request.seed ?? null, warnings });
    });
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingAnswer> {
    return this.#calling(signal, async (sdk) => {
      const model = sdk.embeddingModel(request.model);
      const told = await model.maxEmbeddingsPerCall;
      const atOnce = typeof told === 'number' && told >= 1 ? told : EMBEDDINGS_PER_CALL;
      const { dimensions } = request;
      const vectors: number[][] = [];
      const warnings = new Set<string>();
      let tokens: number | null = 0;
      for (let at = 0; at < request.input.length; at += atOnce) {
        const values = request.input.slice(at, at + atOnce);
        const call = { ...callOf(request, signal), values };
        const result = asRecord(
          await model.doEmbed(dimensions === undefined ? call : { ...call, dimensions }),
        );
        const embeddings = asArray(result?.['embeddings']);
        if (embeddings?.length !== values.length) throw incomprehensible('it lacks vectors');
        vectors.push(...embeddings.map((vector) => asVector(vector, noUsage)));
        const count = tokenCount(asRecord(result?.['usage'])?.['tokens']);
        tokens = tokens === null || count === null ? null : tokens + count;
        for (const warning of readWarnings(result?.['warnings'])) warnings.add(warning);
      }
      const usage = { ...noUsage, promptTokens: tokens, totalTokens: tokens };
      return { vectors, usage, warnings: [...warnings] };
    });
  }

  /** A package is loaded with the first call, once: one that is installed later is found after a restart. */
  async #calling<T>(signal: AbortSignal, work: (sdk: SdkProvider) => Promise<T>): Promise<T> {
    const { baseUrl, apiKey, options } = this.#setup;
    const setup = { name: options['package'] ?? '', factory: options['factory'], apiKey, baseUrl };
    try {
      this.#loading ??= loadProvider(setup, this.#from);
      return await work(await this.#loading);
    } catch (error) {
      throw sdkFailure(error, { signal, secret: apiKey, begun: false });
    }
  }
}

function callOf(
  { traceparent }: { traceparent?: string | undefined },
  abortSignal: AbortSignal,
): CallOptions {
  return { abortSignal, headers: traceparent === undefined ? {} : { traceparent } };
}
