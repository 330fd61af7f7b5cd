/** Completions, embeddings, tokens and errors as GigaChat sends them. */
import { z } from 'zod';
import { anything, jsonObject, label, list, section, tokens } from '../shared/wire.ts';

/** A completion, or a chunk of a streamed one. */
export const wireCompletion = z.object({ usage: anything, choices: list });
export const wireChoice = z.object({ finish_reason: label, message: anything, delta: anything });

/** Messages of other roles are part of the answer. */
export const wireRole = z.object({ role: anything });
export const wireMessage = z.object({
  content: z.string().nullish(),
  functions_state_id: label,
  function_call: z.object({ name: label, arguments: jsonObject.nullish() }).optional(),
});

export const wireEmbeddings = section({ data: list });
/** Each vector reports the usage of its own text. */
export const wireEmbedding = section({ usage: section({ prompt_tokens: tokens }) });

export const wireToken = z.object({ access_token: z.string().min(1), expires_at: z.number() });

/** `{"status", "message"}`, from the token server `{"code", "message"}`. */
export const wireError = section({ code: anything, message: anything });
