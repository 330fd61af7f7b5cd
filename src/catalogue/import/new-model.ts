import { NAME_MAX, TOKENS_MAX } from '../limits.ts';
import { usualModality } from '../modality.ts';
import type { ModelFacts, ModelType } from '../model.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import type { ListRow } from './price-list.ts';

/** Control characters and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

export type Draft =
  { facts: Omit<ModelFacts, 'price'>; note: string | undefined } | { refusal: string };

/** @param isLong the model gets a price for every length of input, so its input limit need not be lowered */
export function draftModel(row: ListRow, provider: ProviderFacts, isLong: boolean): Draft {
  if (row.notAddable !== undefined) return { refusal: row.notAddable };
  if (!row.limits) {
    return { refusal: 'it has no token limits: add it to a catalogue file by hand' };
  }
  if (row.model.length > NAME_MAX || row.model.trim() === '' || unprintable.test(row.model)) {
    return { refusal: `its name is empty, longer than ${NAME_MAX} characters or unprintable` };
  }
  // A model that writes and draws is added as an image model.
  const type: ModelType = row.prices.IMAGE ? 'IMAGE' : 'TEXT';
  const { modality = usualModality(type) } = row;
  const input = Math.min(row.limits.input, TOKENS_MAX);
  const above = row.longContext?.above ?? input;
  const maxInputTokens = isLong ? input : Math.min(input, above);
  const facts = {
    provider: provider.code,
    model: row.model,
    description: describe(row),
    descriptionFull: '',
    alias: null,
    type,
    modality,
    maxInputTokens,
    maxOutputTokens: Math.min(row.limits.output, TOKENS_MAX),
    minTemperature: row.takesTemperature ? 0 : 1,
    maxTemperature: row.takesTemperature && provider.kind !== 'anthropic' ? 2 : 1,
    chatAllowed: modality === 'text',
  };
  const note =
    maxInputTokens < input
      ? `max_input_tokens ${maxInputTokens} of ${input}: longer inputs cost more`
      : undefined;
  return { facts, note };
}

/** The display name of the list, on one line. */
function describe({ title, model }: ListRow): string {
  const words = title
    .split(/[\p{Cc}\p{Cs}\s]+/u)
    .join(' ')
    .trim();
  return (words || model).slice(0, NAME_MAX).toWellFormed();
}
