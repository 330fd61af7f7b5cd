/** What OpenAI and compatible servers answer; for error bodies see `errors.ts`. */
import { z } from 'zod';
import { anything, jsonObject, label, list, section, text } from '../shared/wire.ts';

export const wireCompletion = z.object({ id: label, usage: anything, choices: list });

const wireToolCall = z.object({
  index: anything,
  id: label,
  function: z
    .object({
      name: label,
      /** JSON; some compatible servers send the object itself. */
      arguments: z.union([z.string(), jsonObject]).nullish(),
    })
    .nullish(),
});

const wireMessage = z.object({
  content: z
    .union([z.string(), z.array(z.object({ type: anything, text, refusal: text }))])
    .nullish(),
  refusal: z.string().nullish(),
  reasoning_content: text,
  tool_calls: z.array(wireToolCall).nullish(),
});
export type WireMessage = z.output<typeof wireMessage>;

/** How a choice ended; OpenRouter reports an error of the provider behind it here. */
const choiceEnd = { finish_reason: label, error: anything };
export type WireChoice = z.output<z.ZodObject<typeof choiceEnd>>;

export const wireChoice = z.object({ ...choiceEnd, message: wireMessage });
export const wireStreamChoice = z.object({ ...choiceEnd, delta: wireMessage.nullish() });

export const wireImages = z.object({ usage: anything, data: list });
export const wireImage = section({ b64_json: text, url: text });

export const wireEmbeddings = z.object({ usage: anything, data: list });

/** `{"error": {"message", "type", "param", "code"}}`, or in simple servers `{"error": "text"}`. */
export const wireErrorBody = section({ error: anything, message: anything, usage: anything });
export const wireError = section({
  code: anything,
  type: anything,
  message: anything,
  usage: anything,
  innererror: section({ code: anything }),
  /** OpenRouter's: what its moderation, or that of the provider behind it, has flagged, and why. */
  metadata: section({ flagged_input: anything, reasons: list }),
});
