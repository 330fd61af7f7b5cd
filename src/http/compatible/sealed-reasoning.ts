import { z } from 'zod';
import type { ReasoningBlock } from '../../chat/index.ts';

/** Reasoning of a model, in fields that a client sends back unchanged: an `encrypted_content`, or a `signature`. */

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

/** It is not a secret: the reasoning is part of the caller's own conversation. */
export function packReasoning(block: ReasoningBlock): string {
  return PREFIX + Buffer.from(JSON.stringify(block)).toString('base64url');
}

/** Undefined for a text that another service made. */
export function unpackReasoning(text: string): ReasoningBlock | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  try {
    const json = Buffer.from(text.slice(PREFIX.length), 'base64url').toString();
    return packed.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
