import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { decodeImage, imageAnswer } from '../shared/image-answer.ts';
import { asArray, asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import { LeftOut } from '../shared/unsupported.ts';
import type { ImageAnswer, ImageRequest } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import { wholeSeed, type Asked } from './request.ts';
import { readUsage } from './usage.ts';

/** Shapes that the image models know. */
const aspectRatios: readonly string[] = [
  '1:1',
  '2:3',
  '3:2',
  '3:4',
  '4:3',
  '4:5',
  '5:4',
  '9:16',
  '16:9',
  '21:9',
];
const imageSizes: readonly string[] = ['1K', '2K', '4K'];

/** Asks a `gemini-…-image` model for an image by `generateContent`. */
export function imageBody(request: ImageRequest): Asked {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.quality, 'quality', 'This provider knows no degrees of quality.');
  const seed = wholeSeed(request.seed, leftOut);
  const generationConfig = {
    responseModalities: ['IMAGE'],
    seed: seed ?? undefined,
    imageConfig: imageConfig(request.size, leftOut),
  };
  const contents = [{ role: 'user' as const, parts: [{ text: request.prompt }] }];
  return { body: { contents, generationConfig }, seed, warnings: leftOut.warnings };
}

/** A size is `2K`, a shape such as `16:9`, or pixels whose shape is one of those, e.g. `1024x1024`. */
function imageConfig(size: string | undefined, leftOut: LeftOut): unknown {
  if (size === undefined || size === 'auto') return undefined;
  if (imageSizes.includes(size)) return { imageSize: size };
  const aspectRatio = aspectRatios.includes(size) ? size : shapeOf(size);
  if (aspectRatio !== undefined) return { aspectRatio };
  const list = [...imageSizes, ...aspectRatios].join(', ');
  leftOut.add('size', `This provider knows the sizes ${list} only.`);
  return undefined;
}

function shapeOf(size: string): string | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return aspectRatios.find((shape) => {
    const [x = 0, y = 0] = shape.split(':').map(Number);
    return Number(width) * y === Number(height) * x;
  });
}

/**
 * @param secret the key, to be kept out of what is told of an error
 * @throws ProviderError `content_refused` when the safety system left no image; `failed` when there is
 *   none for another reason
 */
export function readImage(
  body: unknown,
  { seed, warnings }: Pick<Asked, 'seed' | 'warnings'>,
  secret: string | undefined,
): ImageAnswer {
  const response = asRecord(body);
  if (!response) throw incomprehensible('it is no object');
  const error = errorInAnswer(response, secret);
  if (error) throw error;
  const usage = readUsage(response['usageMetadata']);
  const candidate = asRecord(asArray(response['candidates'])?.[0]);
  const data = imageData(candidate);
  if (data === undefined) {
    const isBlocked = asLabel(asRecord(response['promptFeedback'])?.['blockReason']) !== null;
    const reason = finishReasonOf(asLabel(candidate?.['finishReason']), false);
    if (isBlocked || reason === 'content_filter') throw contentRefused({ usage });
    throw incomprehensible('it has no image', { usage });
  }
  const providerMessageId = asLabel(response['responseId']);
  return imageAnswer(decodeImage(data, usage), { usage, seed, warnings, providerMessageId });
}

/** The last image: a model that thinks in images shows its drafts before. */
function imageData(candidate: JsonRecord | undefined): string | undefined {
  const parts = asArray(asRecord(candidate?.['content'])?.['parts']) ?? [];
  for (const value of parts.toReversed()) {
    const part = asRecord(value);
    const data = asRecord(part?.['inlineData'])?.['data'];
    if (typeof data === 'string' && part?.['thought'] !== true) return data;
  }
  return undefined;
}
