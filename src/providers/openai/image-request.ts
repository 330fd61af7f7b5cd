import type { Converted } from '../shared/converted.ts';
import { Omissions } from '../shared/unsupported.ts';
import type { ImageRequest } from '../spec.ts';
import { takesResponseFormat } from './dialect.ts';

/** The body of `POST /images/generations`, as far as the gateway uses it. */
export interface ImageBody {
  model: string;
  prompt: string;
  n: 1;
  size?: string | undefined;
  quality?: string | undefined;
  response_format?: 'b64_json';
}

export function imageBody(request: ImageRequest): Converted<ImageBody> {
  const { model, prompt, size, quality } = request;
  const omissions = new Omissions(request);
  omissions.addIf(request.seed, 'seed', 'This provider does not support seeds for images.');
  const body: ImageBody = { model, prompt, n: 1, size, quality };
  if (takesResponseFormat(model)) body.response_format = 'b64_json';
  return { body, seed: null, warnings: omissions.warnings };
}
