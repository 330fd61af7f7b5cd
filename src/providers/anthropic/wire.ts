/** Messages, and the events of streamed ones, as the Messages API sends them. */
import { z } from 'zod';
import { anything, jsonObject, label, section, text } from '../shared/wire.ts';

/** How a message ended, and the stop sequence that ended it. */
const end = { stop_reason: label, stop_sequence: text };
export const wireEnd = section(end);
export type WireEnd = NonNullable<z.output<typeof wireEnd>>;

export const wireMessage = z.object({ id: label, usage: anything, content: anything, ...end });
export const wireContent = z.array(anything);

/** A block of the content or a delta of one; kinds other than these add nothing to the answer. */
export const wireKind = z.object({ type: anything });
export const wireText = z.object({ text: z.string().nullish() });
export const wireToolUse = z.object({ id: label, name: label, input: jsonObject.nullish() });
export const wireInputDelta = z.object({ partial_json: z.string() });

export const wireEvent = z.object({
  type: anything,
  index: anything,
  message: anything,
  content_block: anything,
  delta: anything,
  usage: anything,
});
export const wireStart = z.object({ id: label, usage: anything });

/** `{"type": "error", "error": {"type", "message"}}` */
export const wireErrorBody = section({ error: section({ type: anything, message: anything }) });
