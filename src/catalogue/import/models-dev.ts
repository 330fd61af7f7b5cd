import type { ModelType } from '../model.ts';
import { asFields, asText, asTokens, PriceFields, type Fields } from './fields.ts';
import {
  longContextOf,
  type ListPrices,
  type ListRow,
  type ListSource,
  type RowSteps,
} from './price-list.ts';

/**
 * Reads `api.json` of models.dev: providers by id, each with its models by id. Prices (`cost`) are in dollars per
 * 1,000,000 tokens.
 */
export function* readModelsDev(list: Fields): RowSteps {
  const sources: ListSource[] = [];
  const rows: ListRow[] = [];
  for (const [name, value] of Object.entries(list)) {
    const provider = asFields(value);
    const models = asFields(provider?.['models']);
    if (!provider || !models) continue;
    sources.push({ name, api: asText(provider['api']) });
    for (const [id, model] of Object.entries(models)) {
      rows.push(readRow(name, id, model));
      yield rows.length;
    }
  }
  return { sources, rows };
}

/** True for a list in this format: at least one provider has models. */
export function isModelsDev(list: Fields): boolean {
  return Object.values(list).some((value) => asFields(asFields(value)?.['models']));
}

function readRow(source: string, id: string, value: unknown): ListRow {
  const model = asFields(value) ?? {};
  const cost = asFields(model['cost']);
  const outputs = asFields(model['modalities'])?.['output'];
  const kinds = Array.isArray(outputs) ? outputs : [];
  const fields = new PriceFields(cost ?? {});
  const prices = readPrices(fields);
  const types = (['TEXT', 'IMAGE'] satisfies ModelType[]).filter((type) =>
    kinds.includes(type.toLowerCase()),
  );
  return {
    source,
    key: id,
    model: id,
    title: asText(model['name']) ?? id,
    prices: Object.fromEntries(types.map((type) => [type, prices])),
    longContext: cost && longContext(cost),
    limits: readLimits(asFields(model['limit']) ?? {}),
    takesTemperature: model['temperature'] !== false,
    refusal: refusalOf(model, cost, types, kinds) ?? fields.problem,
    notAddable: isEmbedding(id, model)
      ? 'it makes embeddings: add it to a catalogue file by hand'
      : undefined,
  };
}

function readPrices(fields: PriceFields): ListPrices {
  return {
    inputTokens: fields.read('input'),
    outputTokens: fields.read('output'),
    cachedInputTokens: fields.read('cache_read'),
    cacheWriteTokens: fields.read('cache_write'),
    reasoningTokens: fields.read('reasoning'),
  };
}

function refusalOf(
  model: Fields,
  cost: Fields | undefined,
  types: readonly ModelType[],
  kinds: readonly unknown[],
): string | undefined {
  if (model['status'] === 'deprecated') return 'it is deprecated';
  if (types.length === 0) {
    return kinds.length === 0 ? 'it has no output modality' : `it makes ${kinds.join(' and ')}`;
  }
  return cost ? undefined : 'it has no price';
}

/** Tiers of input length; `context_over_200k` is an older form of a tier. */
function longContext(cost: Fields): ListRow['longContext'] {
  const older = asFields(cost['context_over_200k']);
  const tiers = (Array.isArray(cost['tiers']) ? cost['tiers'] : []).map(asFields);
  const found = tiers.flatMap((tier) => {
    const size = asTokens(asFields(tier?.['tier'])?.['size']);
    return tier && size !== undefined ? [{ above: size, fields: tier }] : [];
  });
  if (older) found.push({ above: 200_000, fields: older });
  return longContextOf(found, readPrices);
}

/** Where input and output share a context window, the input limit is the window less the output limit. */
function readLimits(limit: Fields): ListRow['limits'] {
  const context = asTokens(limit['context']);
  const listed = asTokens(limit['output']);
  const own = asTokens(limit['input']);
  if (listed === undefined || (context === undefined && own === undefined)) return undefined;
  if (own !== undefined) return { input: own, output: listed };
  // Some rows let an answer fill the whole window, which would leave nothing for the input.
  const output = Math.max(1, Math.min(listed, Math.floor((context ?? 0) / 2)));
  return { input: Math.max(1, (context ?? 0) - output), output };
}

function isEmbedding(id: string, model: Fields): boolean {
  return /embed/i.test(`${id} ${asText(model['family']) ?? ''}`);
}
