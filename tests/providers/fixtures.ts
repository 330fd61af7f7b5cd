import type { StopSignal } from '../../src/lib/stop-signal.ts';
import {
  EmbeddingRun,
  noUsage,
  ProviderError,
  type Attempt,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Message,
  type ProviderPool,
  type ProviderSetup,
  type ProviderWork,
  type TextAnswer,
  type TextRequest,
  type Usage,
} from '../../src/providers/index.ts';

const folder = `${import.meta.dir}/../fixtures/providers/openai`;

export async function jsonFixture(name: string): Promise<unknown> {
  return Bun.file(`${folder}/${name}.json`).json();
}

export async function streamFixture(name: string): Promise<Uint8Array> {
  return Bun.file(`${folder}/${name}.sse`).bytes();
}

export const textRequest: TextRequest = {
  model: 'gpt-test',
  messages: [{ role: 'user', content: 'Hello there' }],
  maxOutputTokens: 100,
};

/** The request with an earlier message before its own. */
export function after(earlier: readonly Message[], request = textRequest): TextRequest {
  return { ...request, messages: [...earlier, ...request.messages] };
}

/** Usage with only these counts reported. */
export function usageOf(counts: Partial<Usage>): Usage {
  return { ...noUsage, ...counts };
}

/** A signal that is never aborted. */
export function running(): AbortSignal {
  return new AbortController().signal;
}

export const canaryKey = 'sk-canary-0123456789abcdef';

export function openAiSetup(baseUrl: string, timeoutSeconds = 600): ProviderSetup {
  return { code: 'test', kind: 'openai', baseUrl, apiKey: canaryKey, timeoutSeconds, options: {} };
}

/** The `ProviderError` that the work ends with; fails the test if it ends otherwise. */
export async function providerErrorOf(work: () => unknown): Promise<ProviderError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('expected a ProviderError, but nothing was thrown');
}

/** All texts of an error that could reach a caller or a log. */
export function allTextsOf(error: ProviderError): string {
  const { message, detail, reported, cause, stack } = error;
  return JSON.stringify([message, detail, reported, String(cause), stack]);
}

/**
 * A call of the pool.
 * @param attempts gets its attempts
 * @throws the `ProviderError` that it ends with
 */
async function called<T extends { usage: Usage }>(
  pool: ProviderPool,
  setup: ProviderSetup,
  work: ProviderWork<T>,
  caller: StopSignal,
  attempts?: Attempt[],
): Promise<T> {
  const end = await pool.call(setup, work, caller);
  attempts?.push(...end.attempts);
  if (end.error) throw end.error;
  return end.answer;
}

export function generateText(
  pool: ProviderPool,
  setup: ProviderSetup,
  request: TextRequest,
  caller: StopSignal = running(),
  attempts?: Attempt[],
): Promise<TextAnswer> {
  const work: ProviderWork<TextAnswer> = {
    model: request.model,
    run: (provider, signal) => provider.generateText(request, signal),
  };
  return called(pool, setup, work, caller, attempts);
}

export function generateImage(
  pool: ProviderPool,
  setup: ProviderSetup,
  request: ImageRequest,
): Promise<ImageAnswer> {
  const work: ProviderWork<ImageAnswer> = {
    model: request.model,
    run: async (provider, signal) => {
      if (!provider.generateImage) throw new Error('the provider makes no images');
      return provider.generateImage(request, signal);
    },
  };
  return called(pool, setup, work, running());
}

export function embed(
  pool: ProviderPool,
  setup: ProviderSetup,
  request: EmbeddingRequest,
): Promise<EmbeddingAnswer> {
  const embedding = new EmbeddingRun(request);
  const work: ProviderWork<EmbeddingAnswer> = {
    model: request.model,
    run: (provider, signal) => embedding.run(provider, signal),
    failure: (error) => embedding.failure(error),
  };
  return called(pool, setup, work, running());
}
