import type { ProviderSetup } from '../lib/provider-setup.ts';

/**
 * Features that only some kinds of provider have, by the field or operation that asks for them, with the refusal for
 * the other kinds. The check runs before anything is held.
 */
const refusals = {
  model: 'is of a modality that its provider does not offer: choose another model',
  image: "this model's provider does not change images: choose another model",
  n: "this model's provider gives one answer to a request: leave n out, or send 1",
  logprobs: "this model's provider gives no log probabilities: leave it out",
} as const;

export type Offer = keyof typeof refusals;

/** @returns why this provider lacks the feature; undefined if it has it */
export function refusalOf({ kind, options }: ProviderSetup, offer: Offer): string | undefined {
  // Ollama ignores the field.
  const isLeftOut = offer === 'n' && options['server'] === 'ollama';
  if (offer === 'image' && kind === 'gemini') return undefined;
  const isChat = kind === 'openai' && options['api'] !== 'responses';
  return isChat && !isLeftOut ? undefined : refusals[offer];
}
