/** Converts a model of another gateway to its entry in a catalogue file. */
import { toRubles } from '../../lib/money.ts';
import { resultOf } from '../../lib/steps.ts';
import { longAboveField, priceFields } from '../../lib/price-fields.ts';
import { type Price } from '../../lib/units.ts';
import { readLiteLlm } from '../import/litellm.ts';
import type { ListRow } from '../import/price-list.ts';
import { TOKENS_MAX } from '../limits.ts';
import { needsOutputCap, type Modality } from '../modality.ts';
import type { ModelDraft } from './draft.ts';

export type Line = Record<string, unknown>;

export type DraftOfModality = ModelDraft & { modality: Modality };

/** The row's own facts, or else those of the list. */
export function rowOf({ facts, model, modality }: DraftOfModality, listed: ListRow | undefined) {
  const mode = modality === 'text' ? 'chat' : modality === 'image' ? 'image_generation' : modality;
  const entry = { ...facts, mode, litellm_provider: 'own' };
  const [row] = resultOf(readLiteLlm({ [model]: entry }, '')).rows;
  if (row && Object.keys(facts).some((name) => name.includes('cost'))) return row;
  return listed ?? (row && { ...row, refusal: undefined, prices: {} });
}

export function limitsOf(
  { facts, modality }: DraftOfModality,
  row: ListRow | undefined,
): Line | undefined {
  const input = count(facts['max_input_tokens'], row?.limits?.input);
  const output = count(facts['max_output_tokens'], facts['max_tokens'], row?.limits?.output);
  if (input === undefined) return undefined;
  if (modality === 'embedding' || modality === 'speech') return { max_input_tokens: input };
  if (output === undefined) {
    return needsOutputCap(modality, 0) ? undefined : { max_input_tokens: input };
  }
  return { max_input_tokens: input, max_output_tokens: output };
}

export function priceLines(price: Price | null): Line {
  const lines: Line = {};
  if (!price) return lines;
  for (const { price: name, field } of priceFields) {
    const amount = price[name];
    if (amount !== undefined && (amount > 0 || /(?:input|output)_tokens/.test(field))) {
      lines[field] = toRubles(amount);
    }
  }
  if (price.longAbove !== undefined) lines[longAboveField] = price.longAbove;
  return lines;
}

function count(...values: unknown[]): number | undefined {
  const found = values.find((value) => typeof value === 'number' && value > 0);
  return found === undefined ? undefined : Math.min(Number(found), TOKENS_MAX);
}
