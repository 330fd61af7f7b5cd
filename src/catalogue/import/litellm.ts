import { shifted, readDecimal } from '../../lib/decimal.ts';
import { asFields, asText, asTokens, PriceFields, type Fields } from './fields.ts';
import { longContextOf, type ListPrices, type ListRow, type RowSteps } from './price-list.ts';

/** Entries that describe the list itself. */
const notModels = new Set(['sample_spec', 'fallback_generalizations']);

/** The modes that are priced by text tokens, with the reason why models of some of them cannot be added. */
const textModes: ReadonlyMap<string, string | undefined> = new Map([
  ['chat', undefined],
  ['completion', 'it completes texts and does not chat: add it to a catalogue file by hand'],
  [
    'responses',
    'it only works with the Responses API: add it by hand, at a provider with the option api: responses',
  ],
  ['embedding', undefined],
]);

/** `low/1024-x-1024/gpt-image-1`, `hd/…`, `50-steps/…`: a price for one size or quality. */
const sizedName = /(?:^|\/)(?:\d+-x-\d+|(?:\d+|max)-steps|max-x-max)\//;

/** `input_cost_per_token_above_200k_tokens` and similar, without batches and service tiers. */
const aboveName =
  /^((?:in|out)put_cost_per_token|cache_(?:read|creation)_input_token_cost)_above_(\d+)k_tokens$/;

/** Units that prices in the catalogue do not support, by the names of their fields. */
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

/** True for a list in this format: at least one model has a `litellm_provider`. */
export function isLiteLlm(list: Fields): boolean {
  return Object.values(list).some((value) => asText(asFields(value)?.['litellm_provider']));
}

/**
 * Reads LiteLLM's `model_prices_and_context_window.json`: models by name, mostly prefixed with the provider. Prices are
 * in dollars per token.
 * @param today `YYYY-MM-DD`, to recognise deprecated models
 */
export function* readLiteLlm(list: Fields, today: string): RowSteps {
  const rows: ListRow[] = [];
  for (const [key, value] of Object.entries(list)) {
    if (notModels.has(key)) continue;
    rows.push(readRow(key, asFields(value) ?? {}, today));
    yield rows.length;
  }
  const names = new Set(rows.map(({ source }) => source));
  return {
    sources: [...names].filter((name) => name !== '').map((name) => ({ name, api: undefined })),
    rows: withoutDoubles(rows),
  };
}

function readRow(key: string, entry: Fields, today: string): ListRow {
  const source = asText(entry['litellm_provider']) ?? '';
  const mode = asText(entry['mode']);
  const prefix = `${source}/`;
  const prices = readPrices(entry);
  return {
    source,
    key,
    model: source !== '' && key.startsWith(prefix) ? key.slice(prefix.length) : key,
    title: key.slice(key.lastIndexOf('/') + 1),
    prices: prices.byType,
    longContext: longContext(entry),
    modality: mode === 'embedding' ? 'embedding' : undefined,
    limits: readLimits(entry, mode === 'embedding' ? 1 : undefined),
    takesTemperature: entry['supports_sampling_params'] !== false,
    refusal: refusalOf(key, entry, mode, today) ?? prices.problem,
    notAddable: textModes.get(mode ?? ''),
  };
}

function readPrices(entry: Fields): { byType: ListRow['prices']; problem: string | undefined } {
  const fields = new PriceFields(entry);
  const mode = asText(entry['mode']) ?? '';
  const text = tokenPrices(fields);
  // An embedding has no output tokens.
  if (mode === 'embedding') text.outputTokens ??= readDecimal(0);
  const image = imagePrices(fields, text);
  const draws = mode === 'image_generation' || image.outputFix || drawsToo(entry);
  const byType = {
    ...(textModes.has(mode) && { TEXT: text }),
    ...(draws && (textModes.has(mode) || mode === 'image_generation') && { IMAGE: image }),
  };
  return { byType, problem: fields.problem };
}

/** The prices per 1,000,000 text tokens. */
function tokenPrices(fields: PriceFields): ListPrices {
  const perMillion = (...names: readonly string[]) => {
    const price = fields.read(...names);
    return price && shifted(price, 6);
  };
  return {
    inputTokens: perMillion('input_cost_per_token'),
    outputTokens: perMillion('output_cost_per_token'),
    cachedInputTokens: perMillion('cache_read_input_token_cost', 'input_cost_per_token_cache_hit'),
    cacheWriteTokens: perMillion('cache_creation_input_token_cost'),
    reasoningTokens: perMillion('output_cost_per_reasoning_token'),
    inputFix: fields.read('input_cost_per_request'),
  };
}

/** A unit that is not supported but has a price above 0 in the row, e.g. `per second`; undefined: no such unit. */
function unitOf(entry: Fields): string | undefined {
  const priced = Object.entries(entry).filter(([, value]) => readDecimal(value)?.digits);
  return units.find(([, field]) => priced.some(([name]) => field.test(name)))?.[0];
}

/**
 * The prices of a model that draws. A price per image covers all output, so output tokens are not charged in addition.
 * Without one, the output consists of image tokens.
 */
function imagePrices(fields: PriceFields, text: ListPrices): ListPrices {
  const perToken = fields.read('output_cost_per_image_token');
  const current = fields.read('output_cost_per_image');
  // Older rows of models without image input list the price of a drawn image as an input cost.
  const older = text.inputTokens || perToken ? undefined : fields.read('input_cost_per_image');
  const perImage = current ?? older;
  const { outputTokens, reasoningTokens: _, ...input } = text;
  return perImage
    ? { ...input, outputFix: perImage }
    : { ...input, outputTokens: perToken ? shifted(perToken, 6) : outputTokens };
}

function drawsToo(entry: Fields): boolean {
  const outputs = entry['supported_output_modalities'];
  return Array.isArray(outputs) && outputs.includes('image');
}

function refusalOf(
  key: string,
  entry: Fields,
  mode: string | undefined,
  today: string,
): string | undefined {
  if (asText(entry['litellm_provider']) === undefined) return 'it has no litellm_provider';
  const deprecated = asText(entry['deprecation_date']);
  if (deprecated !== undefined && deprecated <= today)
    return `it has been deprecated since ${deprecated}`;
  const unit = unitOf(entry);
  if (mode === undefined) return 'it has no mode';
  if (!textModes.has(mode) && mode !== 'image_generation') {
    return `its mode is ${mode}, which is not supported${unit === undefined ? '' : `; it is priced ${unit}`}`;
  }
  if (sizedName.test(key))
    return 'its price depends on size and quality, but a model here has one price';
  const tiers = entry['tiered_pricing'];
  if (Array.isArray(tiers) && tiers.length > 0) return 'it is priced in tiers of input length';
  const isPriced = [
    'input_cost_per_token',
    'output_cost_per_token',
    'output_cost_per_image',
    'output_cost_per_image_token',
    'input_cost_per_image',
  ].some((name) => (entry[name] ?? null) !== null);
  if (isPriced) return undefined;
  return unit === undefined ? 'it has no price' : `it is priced ${unit}`;
}

function longContext(entry: Fields): ListRow['longContext'] {
  const above = Object.keys(entry).flatMap((name) => {
    const match = aboveName.exec(name);
    return match ? [{ field: match[1] ?? '', tokens: Number(match[2]) * 1000, name }] : [];
  });
  const tiers = Map.groupBy(above, ({ tokens }) => tokens);
  const steps = [...tiers].map(([tokens, tier]) => ({
    above: tokens,
    fields: Object.fromEntries(tier.map(({ field, name }) => [field, entry[name]])),
  }));
  return longContextOf(steps, tokenPrices);
}

/** Older rows have the output limit as `max_tokens`. @param fixedOutput the limit for models that write no text */
function readLimits(entry: Fields, fixedOutput?: number): ListRow['limits'] {
  const input = asTokens(entry['max_input_tokens']);
  const output =
    fixedOutput ?? asTokens(entry['max_output_tokens']) ?? asTokens(entry['max_tokens']);
  return input !== undefined && output !== undefined ? { input, output } : undefined;
}

/** A model may be listed twice, with and without its provider as prefix: such rows are merged, unless they differ. */
function withoutDoubles(rows: readonly ListRow[]): ListRow[] {
  const groups = Map.groupBy(rows, ({ source, model }) => JSON.stringify([source, model]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1) return group;
    const isSame = ({ prices, longContext: long, refusal }: ListRow) =>
      Bun.deepEquals([prices, long, refusal], [first.prices, first.longContext, first.refusal]);
    if (group.every(isSame)) return [first];
    const refusal = `it is listed twice with different prices, as ${group.map(({ key }) => key).join(' and ')}`;
    return group.map((row) => ({ ...row, refusal }));
  });
}
