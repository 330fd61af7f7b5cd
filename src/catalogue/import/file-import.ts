import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  YAMLSeq,
  type Document,
  type YAMLMap,
} from 'yaml';
import { assert } from '../../lib/errors.ts';
import { MICRO_PER_RUBLE, TOKENS_PER_PRICE, toRubles, type Micro } from '../../lib/money.ts';
import { resultOf } from '../../lib/steps.ts';
import { parseCatalogue } from '../file.ts';
import type { KnownToFiles } from '../file-reading.ts';
import { longAboveField, priceFields } from '../../lib/price-fields.ts';
import { type Price } from '../../lib/units.ts';
import type { ModelFacts } from '../model.ts';
import { costView, type OperatorCost } from '../operator-cost.ts';
import type { ImportReport } from './outcome.ts';
import { planImport } from './plan-import.ts';
import type { PriceList } from './price-list.ts';
import type { ImportOptions } from './terms.ts';

/**
 * Writes the prices of a list into a catalogue file. Comments, order and everything else stay.
 * @param text the file, YAML
 * @returns the new text of the file
 * @throws `invalid_request` for a file that can't be applied, or a wrong import
 */
export function importIntoFile(
  text: string,
  list: PriceList,
  known: KnownToFiles,
  options: ImportOptions,
): { text: string; report: ImportReport } {
  const file = parseCatalogue(text, known);
  const { report, changed, added } = resultOf(planImport(list, file, options));
  if (changed.size === 0 && added.length === 0) return { text, report };
  const document = parseDocument(text, { schema: 'core', uniqueKeys: false, logLevel: 'error' });
  const models = modelsOf(document);
  const expected = file.models.map(({ facts }) => facts);
  for (const [{ index }, { facts }] of changed) {
    const map = models.items[index];
    assert(isMap(map), `models[${index}] is a map`);
    setMoney(document, map, facts, file.models[index]?.facts.cost);
    expected[index] = facts;
  }
  for (const { facts } of added) {
    models.add(newModel(document, facts));
    expected.push(facts);
  }
  // Folding long texts would change unrelated lines.
  const written = document.toString({ lineWidth: 0 });
  const read = parseCatalogue(written, known).models.map(({ facts }) => facts);
  assert(Bun.deepEquals(read, expected), 'the written catalogue file reads back as intended');
  return { text: written, report };
}

/** The list of models; an empty one is replaced by a list in block style. */
function modelsOf(document: Document): YAMLSeq {
  const found = document.get('models');
  if (isSeq(found) && found.items.length > 0) return found;
  const models = new YAMLSeq();
  document.set('models', models);
  return models;
}

/** @param before the cost that the map has */
function setMoney(
  document: Document,
  map: YAMLMap,
  { price, cost }: ModelFacts,
  before: OperatorCost | undefined,
): void {
  if (price) setPrice(map, price);
  if (cost && cost !== before) map.set('cost', document.createNode(costView(cost)));
}

/** Keeps the model's `cost_tokens_per`. A removed price, or a new fixed charge of 0, gets no line. */
function setPrice(map: YAMLMap, price: Price): void {
  const basis = map.get('cost_tokens_per');
  const tokens = typeof basis === 'number' ? basis : TOKENS_PER_PRICE;
  for (const { price: name, field, per } of priceFields) {
    const amount = price[name];
    if (amount === undefined) map.delete(field);
    else if (per === 'tokens') setNumber(map, field, rublesPer(tokens, amount));
    else if (amount > 0 || map.has(field)) setNumber(map, field, toRubles(amount));
  }
  if (price.longAbove === undefined) map.delete(longAboveField);
  else setNumber(map, longAboveField, price.longAbove);
}

/** Replaces a value, and keeps the comment after it. */
function setNumber(map: YAMLMap, field: string, value: number): void {
  const before = map.get(field, true);
  const scalar = new Scalar(value);
  if (isScalar(before)) scalar.comment = before.comment ?? null;
  map.set(field, scalar);
}

/** Rubles for this number of tokens. A price has at most 15 digits, so the number is exact. */
function rublesPer(tokens: number, amount: Micro): number {
  const scale = (MICRO_PER_RUBLE * TOKENS_PER_PRICE) / tokens;
  return Number(`${amount}e-${Math.round(Math.log10(scale))}`);
}

function newModel(document: Document, facts: ModelFacts): YAMLMap {
  const map = document.createNode({
    provider: facts.provider,
    model: facts.model,
    description: facts.description,
    type: facts.type,
    max_input_tokens: facts.maxInputTokens,
    max_output_tokens: facts.maxOutputTokens,
    min_temperature: facts.minTemperature,
    max_temperature: facts.maxTemperature,
  }) as YAMLMap;
  setMoney(document, map, facts, undefined);
  return map;
}
