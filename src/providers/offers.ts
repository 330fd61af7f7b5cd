import type { ProviderSetup } from './shared/setup.ts';

/**
 * What only some kinds of provider can do, by the field or operation that asks for it, and the refusal for the other
 * kinds. The check runs before anything is held.
 */
const refusals = {
  model: 'is of a modality that its provider does not offer: choose another model',
  image: "this model's provider does not change images: choose another model",
  n: "this model's provider gives one answer to a request: leave n out, or send 1",
  logprobs: "this model's provider gives no log probabilities: leave it out",
} as const;

export type Offer = keyof typeof refusals;

/** @returns why this provider can't do it; undefined if it can */
export function refusalOf({ kind, options }: ProviderSetup, offer: Offer): string | undefined {
  // Ollama ignores the field.
  const isLeftOut = offer === 'n' && options['server'] === 'ollama';
  if (offer === 'image' && kind === 'gemini') return undefined;
  const isChat = kind === 'openai' && options['api'] !== 'responses';
  return isChat && !isLeftOut ? undefined : refusals[offer];
}
