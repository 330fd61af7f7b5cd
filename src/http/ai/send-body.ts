import { z } from 'zod';
import { TEMPERATURE_MAX } from '../../catalogue/index.ts';
import type { SendInput } from '../../chat/index.ts';
import { exampleRoom, roomId } from '../schemas.ts';
import { traceparentOf } from '../traceparent.ts';

/**
 * The body of send and of estimate. What depends on the model is checked against the model later; bounds that
 * every model keeps stand here for whoever reads the schema, and are refused in the words of the model.
 */
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
    .meta({
      default: 0,
      description:
        'How many earlier messages of the room are sent along, each with its answer. One that failed does not ' +
        'count; one with an empty answer counts, but is left out.',
    }),
  max_output_tokens: z
    .int()
    .meta({ minimum: 1 })
    .nullish()
    .meta({ description: "Cap on the answer, at most the model's maximum, which is the default." }),
  temperature: z
    .number()
    .meta({ minimum: 0, maximum: TEMPERATURE_MAX })
    .nullish()
    .meta({ description: 'Within the range of the model; absent: not sent to the provider.' }),
  seed: z.number().nullish().meta({ description: 'For reproducible images; null: random.' }),
  stream: z
    .boolean()
    .nullish()
    .meta({ description: 'true: the answer comes as text/event-stream.' }),
});

const SANDBOX_TEXT = 1;
export const exampleSend = { room_id: exampleRoom, ai: SANDBOX_TEXT, message: 'Hello' };

/** The body as the chat module takes it: absent and null mean the same. */
export function toSendInput(body: z.output<typeof sendBody>, request: Request): SendInput {
  return {
    kind: 'room',
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
