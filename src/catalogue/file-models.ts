import { didYouMean } from '../lib/nearest.ts';
import { readCost, type Rates } from './file-costs.ts';
import { readPrice } from './file-prices.ts';
import type { FileReading } from './file-reading.ts';
import { modelSchema, noOutputLimit, type FileModel, type RawModel } from './file-schema.ts';
import { isFields } from './import/fields.ts';
import { TEMPERATURE_USUAL_MAX } from './limits.ts';
import { needsOutputCap, typeOf, usualModality } from './modality.ts';
import type { Path } from './problems.ts';

/**
 * Reads the models of a file. Models with problems are returned with placeholders, so that they can be compared with
 * others.
 * @param max how many models a file may have
 * @param rates for costs in other currencies
 * @param codes every provider code that a model may refer to, including those of refused providers
 */
export function readModels(
  values: readonly unknown[],
  max: number,
  codes: readonly string[],
  rates: Rates,
  reading: FileReading,
): FileModel[] {
  if (values.length > max) {
    reading.refuse(['models'], `must be at most ${max} models`);
    return [];
  }
  return values.flatMap((value, index) => {
    const path = ['models', index];
    if (!isFields(value)) {
      const message = 'must be a map with at least provider, model, type and the token limits';
      reading.refuse(path, message);
      return [];
    }
    const provider = value['provider'];
    if (typeof provider === 'string' && !codes.includes(provider)) {
      const hint = didYouMean(provider, codes);
      reading.refuse([...path, 'provider'], `unknown provider${hint}: define it under providers`);
    }
    const raw = reading.parseFields(modelSchema, value, path);
    warnOfFreeInput(raw, path, reading);
    const modality = raw.modality ?? usualModality(raw.type ?? 'TEXT');
    const outputPrice = Number(raw.cost_output_tokens_rub ?? 0);
    if (value['max_output_tokens'] === undefined && needsOutputCap(modality, outputPrice)) {
      reading.refuse([...path, 'max_output_tokens'], noOutputLimit);
    }
    return [{ ...readModel(raw, rates, path, reading), index, line: reading.tree.lineOf(path) }];
  });
}

/** Usually a line was forgotten: a long input then costs the operator money, but not the user. */
function warnOfFreeInput(raw: Partial<RawModel>, path: Path, reading: FileReading): void {
  const { cost_output_tokens_rub: output = 0 } = raw;
  const hasInput = raw.cost_input_tokens_rub !== undefined || raw.cost_input_fix_rub !== undefined;
  if (hasInput || Number(output) === 0) return;
  reading.warn(
    [...path, 'cost_output_tokens_rub'],
    'output has a price and input has none, so input is free: write cost_input_tokens_rub, 0 if that is meant',
  );
}

function readModel(
  raw: Partial<RawModel>,
  rates: Rates,
  path: Path,
  reading: FileReading,
): Omit<FileModel, 'index' | 'line'> {
  const { model = '', type = 'TEXT', min_temperature: min = 0 } = raw;
  const { modality = usualModality(type) } = raw;
  if (typeOf(modality) !== type) {
    const message = `needs type: ${typeOf(modality)}`;
    reading.refuse([...path, 'modality'], message);
  }
  const { max_temperature: max = TEMPERATURE_USUAL_MAX } = raw;
  if (min > max) {
    const message = `must not be above max_temperature (${max})`;
    reading.refuse([...path, 'min_temperature'], message);
  }
  return {
    id: raw.id,
    facts: {
      // Without a type, it is not known which model this is.
      provider: (raw.type && raw.provider) ?? '',
      model,
      description: raw.description ?? model,
      descriptionFull: raw.description_full ?? '',
      alias: raw.model_alias ?? null,
      type,
      modality,
      maxInputTokens: raw.max_input_tokens ?? 0,
      // The JSON interface has a number for every model.
      maxOutputTokens: raw.max_output_tokens ?? 1,
      minTemperature: min,
      maxTemperature: max,
      chatAllowed: (raw.is_chat_mode_allowed ?? (modality === 'text' ? 1 : 0)) === 1,
      ...(raw.is_image_input_allowed !== undefined && {
        imagesAllowed: raw.is_image_input_allowed === 1,
      }),
      ...readPrices(raw, rates, path, reading),
    },
    fallbacks: (raw.type && raw.fallbacks) ?? [],
  };
}

function readPrices(
  raw: Partial<RawModel>,
  rates: Rates,
  path: Path,
  reading: FileReading,
): Pick<FileModel['facts'], 'price' | 'hours' | 'cost'> {
  const price = readPrice(raw, (field, message) => reading.refuse([...path, field], message));
  const cost = raw.cost && readCost(raw.cost, rates, [...path, 'cost'], reading);
  const { cost_hours: hours } = raw;
  if (hours && !price && !cost) {
    reading.refuse([...path, 'cost_hours'], 'needs a price or a cost beside it');
  }
  return { price, ...(hours && { hours }), ...(cost && { cost }) };
}
