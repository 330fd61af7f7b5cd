import { z } from 'zod';
import type { SendInput } from '../../chat/index.ts';
import { roomId } from '../schemas.ts';
import { traceparentOf } from '../traceparent.ts';

/** The body of send and of estimate. What depends on the model is checked against the model later. */
export const sendBody = z.object({
  room_id: roomId,
  ai: z.int().meta({ description: 'The id of a model from /ai/settings/.' }),
  message: z.string().min(1, 'must not be empty'),
  system_prompt: z
    .string()
    .nullish()
    .meta({ description: 'Role, context and rules of the model.' }),
  chat_depth: z
    .int()
    .min(0)
    .nullish()
    .meta({ default: 0, description: 'How many earlier messages of the room are sent along.' }),
  max_output_tokens: z
    .int()
    .nullish()
    .meta({ description: "Cap on the answer; by default the model's maximum." }),
  temperature: z
    .number()
    .nullish()
    .meta({ description: 'Within the range of the model; absent: not sent to the provider.' }),
  seed: z.number().nullish().meta({ description: 'For reproducible images; null: random.' }),
  stream: z
    .boolean()
    .nullish()
    .meta({ description: 'true: the answer comes as text/event-stream.' }),
});

export function toSendInput(body: z.output<typeof sendBody>, request: Request): SendInput {
  return {
    roomId: body.room_id,
    ai: body.ai,
    message: body.message,
    systemPrompt: body.system_prompt ?? '',
    chatDepth: body.chat_depth ?? 0,
    maxOutputTokens: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: body.seed ?? undefined,
    traceparent: traceparentOf(request),
  };
}
