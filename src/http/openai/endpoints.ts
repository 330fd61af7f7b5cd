import type { Endpoint } from '../compatible/endpoints.ts';
import { chatCompletions } from './chat-completions.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';
import { imageEdits } from './image-edits.ts';
import { imageGenerations } from './images.ts';
import { compactResponse } from './responses/compact.ts';
import { speech } from './speech.ts';
import { transcriptions } from './transcriptions.ts';
import { responses } from './responses/responses.ts';

/** The OpenAI-compatible interface: the same users, keys, holds and charges, in OpenAI's shapes. */
export const openAiEndpoints: readonly Endpoint[] = [
  chatCompletions,
  completions,
  responses,
  compactResponse,
  imageGenerations,
  imageEdits,
  embeddings,
  speech,
  transcriptions,
];
