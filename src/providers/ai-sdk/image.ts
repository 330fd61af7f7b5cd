import { malformedAnswer } from '../shared/failures.ts';
import { decodeImage, imageAnswer } from '../shared/images.ts';
import { Omissions } from '../shared/unsupported.ts';
import { anything, list, section, tokens } from '../shared/wire.ts';
import { noUsage, type ImageAnswer, type ImageRequest } from '../spec.ts';
import { readWarnings } from './answer.ts';
import type { CallOptions, SdkProvider } from './specification.ts';

const wireImages = section({
  images: list,
  usage: section({ inputTokens: tokens, outputTokens: tokens, totalTokens: tokens }),
  warnings: anything,
});

/** Calls an image model of the SDK. A size is pixels such as `1024x1024`, or an aspect ratio such as `16:9`. */
export async function drawImage(
  sdk: SdkProvider,
  request: ImageRequest,
  call: CallOptions,
): Promise<ImageAnswer> {
  const omissions = new Omissions(request);
  omissions.addAll('quality');
  const size = request.size === 'auto' ? undefined : request.size;
  const isAspectRatio = size?.includes(':') ?? false;
  const options = {
    ...call,
    prompt: request.prompt,
    n: 1,
    size: isAspectRatio ? undefined : size,
    aspectRatio: isAspectRatio ? size : undefined,
    seed: request.seed,
    files: undefined,
    mask: undefined,
    providerOptions: {},
  };
  const result = await sdk.imageModel(request.model).doGenerate(options);
  const { images, usage: counts, warnings } = wireImages.parse(result) ?? {};
  const usage = {
    ...noUsage,
    promptTokens: counts?.inputTokens ?? null,
    completionTokens: counts?.outputTokens ?? null,
    totalTokens: counts?.totalTokens ?? null,
  };
  const image = images?.[0];
  const bytes = typeof image === 'string' ? decodeImage(image, usage) : image;
  if (!(bytes instanceof Uint8Array)) throw malformedAnswer('it has no image', { usage });
  return imageAnswer(bytes, {
    usage,
    seed: request.seed ?? null,
    warnings: [...omissions.warnings, ...readWarnings(warnings)],
  });
}
