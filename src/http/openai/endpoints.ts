import type { Endpoint } from '../compatible/endpoints.ts';
import { chatCompletions } from './chat-completions.ts';
import { embeddings } from './embeddings.ts';
import { imageGenerations } from './images.ts';
import { responses } from './responses/responses.ts';

/** The OpenAI-compatible interface: the same users, keys, holds and charges, in OpenAI's shapes. */
export const openAiEndpoints: readonly Endpoint[] = [
  chatCompletions,
  responses,
  imageGenerations,
  embeddings,
];
