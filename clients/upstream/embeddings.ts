import type { Json } from './dialect.ts';

const VECTOR = [0.25, 0.5, 0.75];

/** A vector for each text of a request for embeddings, by OpenAI or Gemini; undefined for other requests. */
export function embeddingsFor(url: string, body: Json): Json | undefined {
  if (url.endsWith('/embeddings')) {
    const texts = Array.isArray(body['input']) ? body['input'] : [body['input']];
    const data = texts.map((_, index) => ({ object: 'embedding', index, embedding: VECTOR }));
    return { object: 'list', data, usage: { prompt_tokens: 5, total_tokens: 5 } };
  }
  if (url.includes(':batchEmbedContents')) {
    const texts = body['requests'] as Json[];
    return { embeddings: texts.map(() => ({ values: VECTOR })) };
  }
  return undefined;
}
