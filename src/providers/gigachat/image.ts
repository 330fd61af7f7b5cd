import { incomprehensible } from '../shared/failures.ts';
import { LeftOut } from '../shared/unsupported.ts';
import type { ImageRequest, TextAnswer } from '../spec.ts';
import type { Asked } from './request.ts';

const BUILT_IN = 'text2image';

/**
 * An image is what the built-in function `text2image` makes within an answer. The API lets no call of it be
 * demanded (`auto` alone reaches what is built in), so the message asks for a drawing in so many words.
 */
export function imageBody(request: ImageRequest): Asked {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.seed, 'seed', 'This provider takes no seed.');
  leftOut.addIf(request.size, 'size', 'This provider takes no size.');
  leftOut.addIf(request.quality, 'quality', 'This provider knows no degrees of quality.');
  return {
    body: {
      model: request.model,
      messages: [{ role: 'user', content: drawingOf(request.prompt) }],
      functions: [{ name: BUILT_IN }],
      function_call: 'auto',
    },
    warnings: leftOut.warnings,
  };
}

function drawingOf(prompt: string): string {
  return /^\s*нарисуй/i.test(prompt) ? prompt : `Нарисуй: ${prompt}`;
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
