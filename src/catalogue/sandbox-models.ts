import { MICRO_PER_RUBLE } from '../lib/money.ts';
import type { ProviderSet } from './provider-set.ts';

const explanation =
  'A sandbox that calls no real model: it answers by fixed rules inside the gateway, for trying the ' +
  'interface and the billing without a key. Its charges are real entries in the books.';

/** The models that work without any key; ids 1 to 9 are theirs. */
export const sandboxModels: ProviderSet = {
  provider: {
    code: 'sandbox',
    kind: 'sandbox',
    baseUrl: null,
    apiKey: null,
    timeoutSeconds: 120,
    options: {},
  },
  models: [
    {
      id: 1,
      facts: {
        provider: 'sandbox',
        model: 'sandbox-text',
        description: 'Sandbox text (no real model)',
        descriptionFull: explanation,
        alias: null,
        type: 'TEXT',
        maxInputTokens: 32_768,
        maxOutputTokens: 4_096,
        minTemperature: 0,
        maxTemperature: 2,
        chatAllowed: true,
        price: {
          inputTokens: 100 * MICRO_PER_RUBLE,
          outputTokens: 200 * MICRO_PER_RUBLE,
          inputFix: 0,
          outputFix: 0,
        },
      },
    },
    {
      id: 2,
      facts: {
        provider: 'sandbox',
        model: 'sandbox-image',
        description: 'Sandbox image (no real model)',
        descriptionFull: explanation,
        alias: null,
        type: 'IMAGE',
        maxInputTokens: 4_096,
        maxOutputTokens: 1_024,
        minTemperature: 0,
        maxTemperature: 2,
        chatAllowed: false,
        price: { inputTokens: 0, outputTokens: 0, inputFix: 0, outputFix: MICRO_PER_RUBLE },
      },
    },
  ],
};
