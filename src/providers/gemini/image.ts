import { contentRefused, malformedAnswer } from '../shared/failures.ts';
import { decodeImage, imageAnswer } from '../shared/images.ts';
import { Omissions, type Sent } from '../shared/unsupported.ts';
import { anything, label, list, readWire, section, text } from '../shared/wire.ts';
import {
  noUsage,
  type ImageAnswer,
  type ImageEditRequest,
  type ImageRequest,
  type SentFile,
} from '../spec.ts';
import { reasons, wireResponse } from './answer.ts';
import { wholeSeed } from './request.ts';
import { readUsage } from './usage.ts';

const aspectRatios = '1:1 1:4 1:8 2:3 3:2 3:4 4:1 4:3 4:5 5:4 8:1 9:16 16:9 21:9'.split(' ');
const imageSizes = ['512', '1K', '2K', '4K'];

/** The body of `generateContent` for an image, for models named `gemini-…-image`. */
export function imageBody(request: ImageRequest, images: readonly SentFile[] = []) {
  const omissions = new Omissions(request);
  omissions.addAll('quality');
  const seed = wholeSeed(request.seed, omissions);
  const generationConfig = {
    responseModalities: ['IMAGE'],
    seed: seed ?? undefined,
    imageConfig: imageConfig(request.size, omissions),
  };
  const given = images.map(({ bytes, contentType }) => ({
    inlineData: { mimeType: contentType, data: Buffer.from(bytes).toString('base64') },
  }));
  const contents = [{ role: 'user', parts: [...given, { text: request.prompt }] }];
  return { body: { contents, generationConfig }, seed, warnings: omissions.warnings };
}

export function editBody(request: ImageEditRequest, images: readonly SentFile[]) {
  const omissions = new Omissions(request);
  omissions.addIf(request.mask, 'mask', 'This provider does not support masks.');
  omissions.addIf(request.fidelity, 'fidelity', 'This provider does not support input_fidelity.');
  const converted = imageBody(request, images);
  return { ...converted, warnings: [...omissions.warnings, ...converted.warnings] };
}

/** A size is `2K`, an aspect ratio such as `16:9`, or pixels with one of these ratios, e.g. `1024x1024`. */
function imageConfig(size: string | undefined, omissions: Omissions): unknown {
  if (size === undefined || size === 'auto') return undefined;
  if (imageSizes.includes(size)) return { imageSize: size };
  const aspectRatio = aspectRatios.includes(size) ? size : aspectRatioOf(size);
  if (aspectRatio !== undefined) return { aspectRatio };
  const sizes = [...imageSizes, ...aspectRatios].join(', ');
  omissions.add('size', `This provider only supports the sizes ${sizes}.`);
  return undefined;
}

function aspectRatioOf(size: string): string | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return aspectRatios.find((ratio) => {
    const [x = 0, y = 0] = ratio.split(':').map(Number);
    return Number(width) * y === Number(height) * x;
  });
}

/** The candidate of an image; anything in it may be missing. */
const wireDrawing = section({ finishReason: label, content: section({ parts: list }) });
const wireDrawnPart = section({ thought: anything, inlineData: section({ data: text }) });

/**
 * @throws ProviderError `content_refused` if the safety system removed the image; `failed` if it is missing for another
 * reason
 */
export function readImage(body: unknown, sent: Sent): ImageAnswer {
  const response = readWire(wireResponse.extend({ candidates: list }), body);
  const usage = readUsage(response.usageMetadata) ?? noUsage;
  const candidate = wireDrawing.parse(response.candidates?.[0]);
  // A model that reasons in images sends drafts first.
  const data = candidate?.content?.parts
    ?.map((part) => wireDrawnPart.parse(part))
    .findLast((part) => part?.thought !== true && part?.inlineData?.data !== undefined)
    ?.inlineData?.data;
  if (data === undefined) {
    const isBlocked = response.promptFeedback?.blockReason != null;
    const reason = reasons.get(candidate?.finishReason ?? '');
    if (isBlocked || reason === 'content_filter') throw contentRefused({ usage });
    throw malformedAnswer('it has no image', { usage });
  }
  const { seed, warnings } = sent;
  const providerMessageId = response.responseId;
  return imageAnswer(decodeImage(data, usage), { usage, seed, warnings, providerMessageId });
}
