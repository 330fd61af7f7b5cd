import type { ImageRequest } from '../spec.ts';
import { takesResponseFormat } from './dialect.ts';
import type { Converted } from './request.ts';

/** The body of `POST /images/generations`, as far as the gateway uses it. */
export interface ImageBody {
  model: string;
  prompt: string;
  n: 1;
  response_format?: 'b64_json';
}

export function imageBody(request: ImageRequest): Converted<ImageBody> {
  const body: ImageBody = { model: request.model, prompt: request.prompt, n: 1 };
  if (takesResponseFormat(request.model)) body.response_format = 'b64_json';
  const warnings =
    request.seed === undefined
      ? []
      : ['The seed is not supported by this provider for images; it was left out.'];
  return { body, seed: null, warnings };
}
