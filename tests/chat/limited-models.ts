import { TEXT_MODEL } from '../support/world.ts';

/** The first model's fallback. */
export const OTHER = 102;

/** A ruble for each 100 output tokens; nothing else has a price. */
const price = {
  cost_input_tokens_rub: 0,
  cost_output_tokens_rub: 10_000,
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
};

/** Two models for tests of limits. */
export const limitedModels = [
  { id: TEXT_MODEL, model_alias: 'plain', fallbacks: [OTHER], ...price },
  { id: OTHER, model: 'other', model_alias: 'other', ...price },
];
