import { authenticate } from '../compatible/caller.ts';
import { mountEndpoints, type Endpoint } from '../compatible/endpoints.ts';
import { modelNamed } from '../compatible/model-names.ts';
import { nameIn } from '../compatible/model-path.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import type { HttpApp } from '../request-facts.ts';
import { chatCompletions } from './chat-completions.ts';
import { embeddings } from './embeddings.ts';
import { chatFields, embeddingFields, imageFields, responseFields } from './field-names.ts';
import { imageGenerations } from './images.ts';
import { modelView } from './models.ts';
import { responses } from './responses/responses.ts';

const model = 'sandbox/sandbox-text';

export const openAiEndpoints: Readonly<Record<string, Endpoint>> = {
  '/v1/chat/completions': {
    summary: 'Chat completion',
    required: ['model', 'messages'],
    example: { model, messages: [{ role: 'user', content: 'Hello' }] },
    sends: true,
    streams: true,
    answer: chatCompletions,
    fields: chatFields,
  },
  '/v1/responses': {
    summary: 'Response',
    required: ['model', 'input'],
    example: { model, input: 'Hello' },
    sends: true,
    streams: true,
    answer: responses,
    fields: () => responseFields,
  },
  '/v1/images/generations': {
    summary: 'Image',
    required: ['model', 'prompt'],
    example: { model: 'sandbox/sandbox-image', prompt: 'A red dot' },
    sends: true,
    answer: imageGenerations,
    fields: () => imageFields,
  },
  '/v1/embeddings': {
    summary: 'Embeddings',
    required: ['model', 'input'],
    // The sandbox makes no embeddings.
    example: { model: 'openai/text-embedding-3-small', input: 'Hello' },
    sends: true,
    answer: embeddings,
    fields: () => embeddingFields,
  },
};

/** The OpenAI-compatible interface: same users, keys, holds and charges, in OpenAI's shapes. */
export function mountOpenAi(app: HttpApp, parts: CompatibleParts): void {
  mountEndpoints(app, parts, openAiEndpoints);
  // A model's name may have a slash in it. The pattern matches the bare path too, which is the list.
  app.get('/v1/models/*', async (c) => {
    const { userId } = await authenticate(parts.authenticator, c.req.raw);
    const models = await parts.modelsWithinLimits(userId);
    const name = nameIn(c.req.path);
    return name === ''
      ? Response.json({ object: 'list', data: models.map(modelView) })
      : Response.json(modelView(modelNamed(models, name)));
  });
}
