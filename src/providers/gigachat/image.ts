import { incomprehensible } from '../shared/failures.ts';
import { LeftOut } from '../shared/unsupported.ts';
import type { ImageRequest, TextAnswer } from '../spec.ts';
import type { Asked } from './request.ts';

/** An image is what the built-in function `text2image` makes within an answer. */
export function imageBody(request: ImageRequest): Asked {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.seed, 'seed', 'This provider takes no seed.');
  leftOut.addIf(request.size, 'size', 'This provider takes no size.');
  leftOut.addIf(request.quality, 'quality', 'This provider knows no degrees of quality.');
  return {
    body: {
      model: request.model,
      messages: [{ role: 'user', content: request.prompt }],
      function_call: { name: 'text2image' },
    },
    warnings: leftOut.warnings,
  };
}

/**
 * The id of the file that an answer shows: `<img src="3727db23-…" fuse="true"/> вот мой рисунок`.
 * @throws ProviderError `failed` when there is none; the model may have answered in words
 */
export function imageFileId({ text, usage }: Pick<TextAnswer, 'text' | 'usage'>): string {
  const [, id] = /<img\s[^>]*?src="([\w-]{1,64})"/.exec(text) ?? [];
  if (id === undefined) throw incomprehensible('it has no image', { usage });
  return id;
}
