import type { StopSignal } from '../../lib/stop-signal.ts';
import { uuidHex } from '../../lib/ids.ts';
import { abortFailure } from '../shared/failures.ts';
import { LeftOut } from '../shared/unsupported.ts';
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

/** Length of the parts that a streamed answer comes in, in code points. */
const PART_LENGTH = 12;

/**
 * The built-in provider that needs no key and no network, so that everything around a model can be
 * tried at once. Its answers say that they are the sandbox's; it imitates no model.
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
    // The encoder of images is loaded with the first of them, not at every start.
    const { drawImage, IMAGE_SIDE } = await import('./image.ts');
    const leftOut = new LeftOut(request);
    leftOut.addIf(
      request.size,
      'size',
      `The sandbox knows no size but ${IMAGE_SIDE}x${IMAGE_SIDE}.`,
    );
    leftOut.addIf(request.quality, 'quality', 'The sandbox knows no degrees of quality.');
    const seed = request.seed ?? randomSeed();
    const promptTokens = tokensOf(request.prompt);
    return {
      bytes: drawImage(request.prompt, seed),
      contentType: 'image/png',
      providerMessageId: newId(),
      usage: { ...noUsage, promptTokens, completionTokens: 0, totalTokens: promptTokens },
      finishReason: 'stop',
      rawFinishReason: 'stop',
      seed,
      warnings: leftOut.warnings,
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
