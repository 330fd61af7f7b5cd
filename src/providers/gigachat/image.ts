import { malformedAnswer } from '../shared/failures.ts';
import { Omissions } from '../shared/unsupported.ts';
import type { ImageRequest, TextAnswer } from '../spec.ts';

const BUILT_IN = 'text2image';

/**
 * The built-in function `text2image` makes images within an answer. The API cannot force a call of a built-in
 * function (only `auto` calls them), so the message asks for a drawing in words.
 */
export function imageBody(request: ImageRequest) {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'size', 'quality');
  return {
    body: {
      model: request.model,
      messages: [{ role: 'user', content: drawingPrompt(request.prompt) }],
      functions: [{ name: BUILT_IN }],
      function_call: 'auto',
    },
    seed: null,
    warnings: omissions.warnings,
  };
}

function drawingPrompt(prompt: string): string {
  return /^\s*нарисуй/i.test(prompt) ? prompt : `Нарисуй: ${prompt}`;
}

/**
 * The id of the image file in an answer such as `<img src="3727db23-…" fuse="true"/> вот мой рисунок`.
 * @throws ProviderError `failed` without an image: the model may have answered in words
 */
export function imageFileId({ text, usage }: Pick<TextAnswer, 'text' | 'usage'>): string {
  const [, id] = /<img\s[^>]*?src="([\w-]{1,64})"/.exec(text) ?? [];
  if (id === undefined) throw malformedAnswer('it has no image', { usage });
  return id;
}
