import { z } from 'zod';
import type { Thought } from '../../chat/index.ts';

/** Thoughts of a model, in fields that a client sends back unchanged: an `encrypted_content`, or a `signature`. */

/** Distinguishes our texts from those of other services. */
const PREFIX = 'zastava.';

const summary = z.array(z.object({ type: z.literal('summary_text'), text: z.string() }));
const item = z.object({ id: z.string(), summary, encrypted_content: z.string() });
const by = { anthropic: z.literal('anthropic'), gemini: z.literal('gemini') };
const packed = z.object({
  text: z.string(),
  seal: z
    .union([
      z.object({ by: by.anthropic, signature: z.string() }),
      z.object({ by: by.anthropic, data: z.string() }),
      z.object({ by: by.gemini, callId: z.string(), signature: z.string() }),
      z.object({ by: z.literal('openai'), model: z.string(), item }),
    ])
    .optional(),
  after: z.object({ text: z.int().min(0), calls: z.int().min(0) }).optional(),
});

/** It is not a secret: the thought belongs to one of the caller's own conversations. */
export function packThought(thought: Thought): string {
  return PREFIX + Buffer.from(JSON.stringify(thought)).toString('base64url');
}

/** Undefined for a text that another service made. */
export function unpackThought(text: string): Thought | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  try {
    const json = Buffer.from(text.slice(PREFIX.length), 'base64url').toString();
    return packed.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
