/** What a package returns. Nothing in it is trusted. */
import { z } from 'zod';
import { anything, label, list, section, text, tokens } from '../shared/wire.ts';

export const wireUsage = section({
  inputTokens: section({ total: tokens, cacheRead: tokens, cacheWrite: tokens }),
  outputTokens: section({ total: tokens, reasoning: tokens }),
});

/** `raw` is the provider's own word. */
export const wireFinish = section({ unified: label, raw: anything });

/** What the package could not send, e.g. `{"type": "unsupported", "feature", "details"}`. */
export const wireWarning = section({ feature: text, setting: text, details: text, message: text });

/** The result of `doGenerate` for text. */
export const wireResult = z.object({
  content: list,
  finishReason: anything,
  usage: anything,
  response: section({ id: label }),
  warnings: anything,
});
export const wireContentPart = section({ type: anything, text, providerExecuted: anything });
export const wireToolCall = z.object({ toolCallId: label, toolName: label, input: z.string() });

/** A part of `doStream`, by its type. */
export const wirePart = z.object({
  type: anything,
  id: label,
  delta: anything,
  toolCallId: label,
  toolName: label,
  input: anything,
  providerExecuted: anything,
  warnings: anything,
  error: anything,
  usage: anything,
  finishReason: anything,
});
export type WirePart = z.output<typeof wirePart>;

/** The result of `doGenerate` for an image. */
export const wireImages = section({
  images: list,
  usage: section({ inputTokens: tokens, outputTokens: tokens, totalTokens: tokens }),
  warnings: anything,
});

/** The result of `doEmbed`. */
export const wireEmbeddings = section({
  embeddings: list,
  usage: section({ tokens }),
  warnings: anything,
});
