import type { StopSignal } from '../../lib/stop-signal.ts';
import { uuidHex } from '../../lib/ids.ts';
import { abortFailure } from '../shared/failures.ts';
import { Omissions } from '../shared/unsupported.ts';
import {
  noUsage,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { sandboxText, tokensOf } from './text.ts';

/** Length of the parts of a streamed answer, in code points. */
const PART_LENGTH = 12;

/**
 * The built-in provider, which needs no key and no network, so that everything except a model can be tested at
 * once. Its answers say that they come from the sandbox.
 */
export class SandboxProvider implements Provider {
  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    throwIfAborted(signal);
    const seed = request.seed ?? null;
    return { ...sandboxText(request), providerMessageId: newId(), seed, warnings: [] };
  }

  async *streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    const { text, ...answer } = await this.generateText(request, signal);
    const characters = Array.from(text);
    for (let at = 0; at < characters.length; at += PART_LENGTH) {
      throwIfAborted(signal);
      yield [{ type: 'text', text: characters.slice(at, at + PART_LENGTH).join('') }];
    }
    throwIfAborted(signal);
    yield [{ type: 'finish', answer }];
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    throwIfAborted(signal);
    // The PNG encoder is loaded with the first image, not at every start.
    const { drawImage, IMAGE_SIDE } = await import('./image.ts');
    const omissions = new Omissions(request);
    const why = `The sandbox only supports the size ${IMAGE_SIDE}x${IMAGE_SIDE}.`;
    omissions.addIf(request.size, 'size', why);
    omissions.addIf(request.quality, 'quality', 'The sandbox does not support quality levels.');
    const seed = request.seed ?? randomSeed();
    const promptTokens = tokensOf(request.prompt);
    return {
      bytes: drawImage(request.prompt, seed),
      contentType: 'image/png',
      providerMessageId: newId(),
      usage: { ...noUsage, promptTokens, completionTokens: 0, totalTokens: promptTokens },
      finishReason: 'stop',
      seed,
      warnings: omissions.warnings,
    };
  }
}

function throwIfAborted(signal: StopSignal): void {
  if (signal.aborted) throw abortFailure(signal);
}

function newId(): string {
  return `sandbox-${uuidHex()}`;
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
