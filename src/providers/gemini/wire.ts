/** Responses of `generateContent` and `batchEmbedContents`, and error bodies. */
import { z } from 'zod';
import { anything, jsonObject, label, list, section, text } from '../shared/wire.ts';

export const wireResponse = z.object({
  responseId: label,
  usageMetadata: anything,
  promptFeedback: section({ blockReason: label }),
  candidates: anything,
});
export const wireCandidates = z.array(anything).nullish();

/** A candidate that was cut off before its first word has no content. */
export const wireCandidate = z.object({
  finishReason: label,
  content: section({ parts: anything }),
});
export const wireParts = z.array(jsonObject).nullish();

export const wirePart = z.object({
  text: anything,
  thought: anything,
  functionCall: z.object({ id: label, name: label, args: jsonObject.nullish() }).optional(),
  thoughtSignature: text,
});

/** The candidate of an image; anything in it may be missing. */
export const wireDrawing = section({
  finishReason: label,
  content: section({ parts: list }),
});
export const wireDrawnPart = section({ thought: anything, inlineData: section({ data: text }) });

export const wireEmbeddings = z.object({ embeddings: list });
export const wireEmbedding = section({ values: anything });

/** `{"error": {"code", "message", "status", "details"}}`, for some calls in a list of one. */
export const wireErrorBody = section({
  error: section({ code: anything, status: anything, message: anything, details: list }),
});
/** Details have a `reason` (`ErrorInfo`) or a `retryDelay` such as `17s` (`RetryInfo`). */
export const wireDetail = section({ reason: text, retryDelay: text });
