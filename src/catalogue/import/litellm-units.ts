import { readDecimal, shifted } from '../../lib/decimal.ts';
import type { Fields, PriceFields } from './fields.ts';
import type { ListPrices } from './price-list.ts';

/** Units that no price here is in, by the fields that tell them. */
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

/** e.g. `per second`; undefined when the row tells no such price, or zero. */
export function unitOf(entry: Fields): string | undefined {
  const told = Object.entries(entry).filter(([, value]) => readDecimal(value)?.digits);
  return units.find(([, field]) => told.some(([name]) => field.test(name)))?.[0];
}

/**
 * The prices of a model that draws. A price per image is for all that it puts out, so the tokens of the
 * image are not charged besides; without one, image tokens are what the output consists of.
 */
export function imagePrices(fields: PriceFields, text: ListPrices): ListPrices {
  const perToken = fields.read('output_cost_per_image_token');
  const told = fields.read('output_cost_per_image');
  // Older rows of models that take no images call the price of a drawn one an input cost.
  const older = text.inputTokens || perToken ? undefined : fields.read('input_cost_per_image');
  const perImage = told ?? older;
  const { outputTokens, reasoningTokens: _, ...input } = text;
  return perImage
    ? { ...input, outputFix: perImage }
    : { ...input, outputTokens: perToken ? shifted(perToken, 6) : outputTokens };
}
