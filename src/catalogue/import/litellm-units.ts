import { readDecimal, shifted } from '../../lib/decimal.ts';
import type { Fields, PriceFields } from './fields.ts';
import type { ListPrices } from './price-list.ts';

/** Units that prices here do not support, by the names of their fields. */
const units: readonly (readonly [name: string, field: RegExp])[] = [
  ['per second', /per_(?:\w+_)?second/],
  ['per character', /cost_per_character/],
  ['per pixel', /cost_per_pixel/],
  ['per page', /cost_per_page/],
  ['per audio token', /cost_per_audio_token/],
  ['per query', /cost_per_query$/],
  ['per credit', /cost_per_credit/],
  ['per session', /cost_per_session/],
];

/** The unsupported unit in which a row has a price above 0, e.g. `per second`; undefined: none. */
export function unitOf(entry: Fields): string | undefined {
  const priced = Object.entries(entry).filter(([, value]) => readDecimal(value)?.digits);
  return units.find(([, field]) => priced.some(([name]) => field.test(name)))?.[0];
}

/**
 * The prices of a model that draws. A price per image covers all output, so output tokens are not charged besides.
 * Without one, the output consists of image tokens.
 */
export function imagePrices(fields: PriceFields, text: ListPrices): ListPrices {
  const perToken = fields.read('output_cost_per_image_token');
  const current = fields.read('output_cost_per_image');
  // Older rows of models without image input have the price of a drawn image as an input cost.
  const older = text.inputTokens || perToken ? undefined : fields.read('input_cost_per_image');
  const perImage = current ?? older;
  const { outputTokens, reasoningTokens: _, ...input } = text;
  return perImage
    ? { ...input, outputFix: perImage }
    : { ...input, outputTokens: perToken ? shifted(perToken, 6) : outputTokens };
}
