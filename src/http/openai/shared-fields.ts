import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';

/** The same limit as OpenAI's. */
const CHOICES_MAX = 128;

/** Fields that chat completions and completions share. */
export const sharedFields = {
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  n: z.int().min(1).max(CHOICES_MAX).nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  user: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
};

type SharedBody = z.output<z.ZodObject<typeof sharedFields>>;

export function sharedOptions(body: SharedBody): Conversation['options'] {
  return {
    topP: body.top_p ?? undefined,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? undefined),
    frequencyPenalty: body.frequency_penalty ?? undefined,
    presencePenalty: body.presence_penalty ?? undefined,
    n: body.n === 1 ? undefined : (body.n ?? undefined),
    user: body.user ?? undefined,
  };
}
