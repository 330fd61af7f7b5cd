import { incomprehensible } from '../shared/failures.ts';
import { decodeImage, imageAnswer } from '../shared/image-answer.ts';
import { asArray, asRecord } from '../shared/json.ts';
import { LeftOut } from '../shared/unsupported.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type ImageAnswer, type ImageRequest, type Usage } from '../spec.ts';
import { readWarnings } from './answer.ts';
import type { CallOptions, SdkProvider } from './specification.ts';

/** Asks an image model of the SDK; a size is pixels such as `1024x1024`, or a shape such as `16:9`. */
export async function drawImage(
  sdk: SdkProvider,
  request: ImageRequest,
  call: CallOptions,
): Promise<ImageAnswer> {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.quality, 'quality', 'This provider knows no degrees of quality.');
  const size = request.size === 'auto' ? undefined : request.size;
  const isShape = size?.includes(':') ?? false;
  const told = await sdk.imageModel(request.model).doGenerate({
    ...call,
    prompt: request.prompt,
    n: 1,
    size: isShape ? undefined : size,
    aspectRatio: isShape ? size : undefined,
    seed: request.seed,
    files: undefined,
    mask: undefined,
    providerOptions: {},
  });
  const result = asRecord(told);
  const usage = readUsage(result?.['usage']);
  const image = asArray(result?.['images'])?.[0];
  const bytes = typeof image === 'string' ? decodeImage(image, usage) : image;
  if (!(bytes instanceof Uint8Array)) throw incomprehensible('it has no image', { usage });
  const warnings = [...leftOut.warnings, ...readWarnings(result?.['warnings'])];
  return imageAnswer(bytes, { usage, seed: request.seed ?? null, warnings });
}

function readUsage(value: unknown): Usage {
  const told = asRecord(value);
  return {
    ...noUsage,
    promptTokens: tokenCount(told?.['inputTokens']),
    completionTokens: tokenCount(told?.['outputTokens']),
    totalTokens: tokenCount(told?.['totalTokens']),
  };
}
