import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import { secretsOf } from '../shared/secrets.ts';
import { malformedAnswer } from '../shared/failures.ts';
import { asRecord } from '../shared/wire.ts';
import {
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { textAnswer } from './answer.ts';
import { embed } from './embeddings.ts';
import { sdkFailure } from './failure.ts';
import { drawImage } from './image.ts';
import { loadProvider, type PackageSetup } from './load.ts';
import { languageOptions } from './request.ts';
import type { CallOptions, SdkProvider } from './specification.ts';
import { PartReader } from './stream.ts';

/** Any provider package of the Vercel AI SDK (specifications 3 and 4), installed by the operator. */
export class AiSdkProvider implements Provider {
  readonly #setup: PackageSetup;
  readonly #from: string;
  #loading: Promise<SdkProvider> | undefined;
  lastOrigin: string | undefined;

  /** @param from the folder from which the package is resolved */
  constructor(setup: PackageSetup, from: string) {
    this.#setup = setup;
    this.#from = from;
  }

  generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    return this.#calling(signal, async (sdk) => {
      const { model, converted } = await prepared(sdk, request, signal);
      return textAnswer(await model.doGenerate(converted.body), converted);
    });
  }

  async *streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    const { sent, reader } = await this.#calling(signal, async (sdk) => {
      const { model, converted } = await prepared(sdk, request, signal);
      const stream = asRecord(await model.doStream(converted.body))?.['stream'];
      if (!(stream instanceof ReadableStream)) throw malformedAnswer('it is not a stream');
      return { sent: converted, reader: (stream as ReadableStream<unknown>).getReader() };
    });
    const context = { signal, secret: secretsOf(this.#setup), begun: true, now: Date.now };
    const parts = new PartReader(sent, (error) => sdkFailure(error, context));
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw malformedAnswer('it ended before its end');
        for (const part of parts.read(value)) {
          yield [part];
          if (part.type === 'finish') return;
        }
      }
    } catch (error) {
      throw sdkFailure(error, context);
    } finally {
      // Closes the connection to the provider, also if the consumer leaves the loop early.
      await reader.cancel().catch(() => undefined);
    }
  }

  generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    return this.#calling(signal, (sdk) => drawImage(sdk, request, callOf(request, signal)));
  }

  embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    return this.#calling(signal, (sdk) => embed(sdk, request, callOf(request, signal)));
  }

  /** The package is loaded once, with the first call: a package installed later is only found after a restart. */
  async #calling<T>(signal: StopSignal, work: (sdk: SdkProvider) => Promise<T>): Promise<T> {
    try {
      this.#loading ??= loadProvider(this.#setup, this.#from, (url) => {
        this.lastOrigin = URL.parse(url)?.origin;
      });
      return await work(await this.#loading);
    } catch (error) {
      const secret = secretsOf(this.#setup);
      throw sdkFailure(error, { signal, secret, begun: false, now: Date.now });
    }
  }
}

async function prepared(sdk: SdkProvider, request: TextRequest, signal: StopSignal) {
  const model = sdk.languageModel(request.model);
  const traits = { version: sdk.specificationVersion, supportedUrls: await model.supportedUrls };
  return { model, converted: languageOptions(request, traits, callOf(request, signal)) };
}

function callOf(
  { traceparent }: { traceparent?: string | undefined },
  signal: StopSignal,
): CallOptions {
  return {
    abortSignal: toAbortSignal(signal),
    headers: traceparent === undefined ? {} : { traceparent },
  };
}
