import { z } from 'zod';
import type { SendResult } from '../../../chat/index.ts';

/** A token as chat completions have it. Some servers leave the bytes out. */
const token = {
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.int()).nullish(),
};
const chatLogprobs = z.object({
  content: z.array(z.object({ ...token, top_logprobs: z.array(z.object(token)).nullish() })),
});

/** The log probabilities of the text; empty if there are none. */
export function logprobsOf({ choices }: Pick<SendResult, 'choices'>): readonly object[] {
  const content = chatLogprobs.safeParse(choices?.[0]?.logprobs).data?.content ?? [];
  return content.map(({ top_logprobs: others, ...one }) => ({
    ...tokenView(one),
    top_logprobs: (others ?? []).map(tokenView),
  }));
}

function tokenView({ token: text, logprob, bytes }: z.output<z.ZodObject<typeof token>>): object {
  return { token: text, logprob, bytes: bytes ?? [...Buffer.from(text)] };
}
