import { priceFieldNames } from '../lib/price-fields.ts';
import { hoursText } from './hours.ts';
import { toView, type ModelFacts, type ModelView } from './model.ts';
import { costView } from './operator-cost.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { showHeaders } from './headers.ts';
import { MASK, masked } from './references.ts';

type Shown = string | number | boolean | null;

export interface FieldChange {
  /** Its name in the catalogue file. */
  field: string;
  from: Shown;
  to: Shown;
}

/** One change to the catalogue. It never contains a key. */
export interface CatalogueChange {
  /** `returned`: it was retired and is now in use again, under its old id. */
  kind: 'added' | 'changed' | 'retired' | 'returned';
  /** e.g. `model 101 openai/gpt-5-mini`, `provider openai` */
  subject: string;
  fields?: FieldChange[];
}

/** e.g. `changed model 101 openai/gpt-5-mini: cost_input_tokens_rub 25 -> 30` */
export function formatChange({ kind, subject, fields = [] }: CatalogueChange): string {
  const text = fields.map(({ field, from, to }) => `${field} ${quote(from)} -> ${quote(to)}`);
  return `${kind} ${subject}${text.length > 0 ? `: ${text.join(', ')}` : ''}`;
}

/**
 * The keys of a provider without secrets, each as its reference or `(set)`: one key as `api_key`, several with their
 * weights as `api_keys`, e.g. `${A}*3 (set)`.
 */
export function showKeys(keys: ProviderFacts['keys']) {
  const shown = keys.map(({ key, weight }) => masked(key) + (weight === 1 ? '' : `*${weight}`));
  const isOne = keys.length === 1 && keys[0]?.weight === 1;
  const text = shown.join(' ') || null;
  return { api_key: isOne ? text : null, api_keys: isOne ? null : text };
}

const modelFields: readonly Exclude<keyof ModelView, 'cost_hours'>[] = [
  'model',
  'description',
  'description_full',
  'model_alias',
  'type',
  'modality',
  'max_input_tokens',
  'max_output_tokens',
  'min_temperature',
  'max_temperature',
  'is_chat_mode_allowed',
  'is_image_input_allowed',
  ...priceFieldNames,
  'priced',
];

/** The differences between two versions of a model, field by field. */
export function modelChanges(before: ModelFacts, after: ModelFacts): FieldChange[] {
  const from = toView(0, before);
  const to = toView(0, after);
  return [
    ...difference('provider', from.code, to.code),
    ...modelFields.flatMap((field) => difference(field, from[field], to[field])),
    ...difference('cost_hours', hoursText(before.hours), hoursText(after.hours)),
    ...costChanges(before, after),
  ];
}

function costChanges({ cost: before }: ModelFacts, { cost: after }: ModelFacts): FieldChange[] {
  const [from, to] = [before ? costView(before) : {}, after ? costView(after) : {}];
  const names = Object.keys({ ...from, ...to });
  return names.flatMap((name) => difference(`cost.${name}`, from[name], to[name]));
}

/** The difference between two lists of fallbacks (ids of models), if any. */
export function fallbackChanges(
  before: readonly number[],
  after: readonly number[],
): FieldChange[] {
  return difference('fallbacks', before.join(' ') || null, after.join(' ') || null);
}

/** @param unreadable the previous key is not known, so it counts as changed */
export function providerChanges(
  before: ProviderFacts,
  after: ProviderFacts,
  unreadable: boolean,
): FieldChange[] {
  return [
    ...difference('kind', before.kind, after.kind),
    ...difference('base_url', before.baseUrl, after.baseUrl),
    ...keyChanges(before.keys, after.keys, unreadable),
    ...difference('timeout_seconds', before.timeoutSeconds, after.timeoutSeconds),
    ...optionChanges(before.options, after.options),
    ...headerChanges(before, after, unreadable),
    ...difference('extra_body', textOf(before.extraBody), textOf(after.extraBody)),
    ...difference('max_concurrent', before.maxConcurrent, after.maxConcurrent),
    ...difference(
      'max_requests_per_minute',
      before.maxRequestsPerMinute,
      after.maxRequestsPerMinute,
    ),
  ];
}

function optionChanges(
  before: ProviderFacts['options'],
  after: ProviderFacts['options'],
): FieldChange[] {
  const names = Object.keys({ ...before, ...after }).toSorted();
  return names.flatMap((name) => difference(`options.${name}`, before[name], after[name]));
}

function textOf(body: ProviderFacts['extraBody']): string | undefined {
  return body && JSON.stringify(body);
}

function headerChanges(
  before: ProviderFacts,
  after: ProviderFacts,
  unreadable: boolean,
): FieldChange[] {
  const [from, to] = [showHeaders(before) ?? {}, showHeaders(after) ?? {}];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return names.flatMap((name) => {
    const isSame = !unreadable && before.headers?.[name] === after.headers?.[name];
    if (isSame) return [];
    const isAnew = from[name] === to[name] && to[name] === MASK;
    return difference(`headers.${name}`, from[name], isAnew ? '(set anew)' : to[name]);
  });
}

function keyChanges(
  before: ProviderFacts['keys'],
  after: ProviderFacts['keys'],
  unreadable: boolean,
): FieldChange[] {
  if (!unreadable && Bun.deepEquals(before, after)) return [];
  const [from, to] = [showKeys(before), showKeys(after)];
  return (['api_key', 'api_keys'] as const).flatMap((field) => {
    if (from[field] === null && to[field] === null) return [];
    const shown = unreadable && from[field] !== null ? '(unreadable)' : from[field];
    return [{ field, from: shown, to: shown === to[field] ? '(set anew)' : to[field] }];
  });
}

function difference(field: string, from: Shown | undefined, to: Shown | undefined): FieldChange[] {
  return from === to ? [] : [{ field, from: from ?? null, to: to ?? null }];
}

/** Longer texts are cut, since a change is one line. */
const SHOWN_MAX = 60;

function quote(value: Shown): string {
  if (value === null) return '(none)';
  if (typeof value !== 'string') return String(value);
  const text = value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value;
  if (text.startsWith('(')) return text;
  return /^[\x21-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}
