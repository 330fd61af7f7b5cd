import type { z } from 'zod';
import { messagesBody } from '../anthropic/messages-body.ts';
import { chatBody } from '../openai/chat-body.ts';
import { embeddingBody } from '../openai/embeddings.ts';
import { imageBody } from '../openai/images.ts';
import { responseBody } from '../openai/responses/body.ts';
import {
  anthropicMessage,
  chatCompletion,
  openAiEmbeddings,
  openAiImages,
  openAiResponse,
  tokenCount,
} from './answer-schemas.ts';

interface EndpointSchemas {
  /** The one that checks requests. */
  body: z.ZodObject;
  /** The answer of a success without streaming. */
  answer: z.ZodType;
}

/** What each POST under `/v1` takes and answers, by its path. */
export const endpointSchemas: Readonly<Record<string, EndpointSchemas>> = {
  '/v1/chat/completions': { body: chatBody, answer: chatCompletion },
  '/v1/responses': { body: responseBody, answer: openAiResponse },
  '/v1/images/generations': { body: imageBody, answer: openAiImages },
  '/v1/embeddings': { body: embeddingBody, answer: openAiEmbeddings },
  '/v1/messages': { body: messagesBody, answer: anthropicMessage },
  '/v1/messages/count_tokens': { body: messagesBody, answer: tokenCount },
};
