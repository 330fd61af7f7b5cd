import { priceFieldNames } from '../lib/units.ts';
import { toView, type ModelFacts, type ModelView } from './model.ts';
import type { ProviderFacts } from './provider-set.ts';
import { isReference } from './references.ts';
import { showKeys, type RoutingFacts } from './routing.ts';

type Shown = string | number | boolean | null;

export interface FieldChange {
  /** Its name in the catalogue file. */
  field: string;
  from: Shown;
  to: Shown;
}

/** One change to the catalogue. It never contains a key. */
export interface CatalogueChange {
  /** `returned`: it was retired and is in use again, under its old id. */
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

/** The visible form of a key: see `shownOf`; null for a provider without a key. */
export function showKey(apiKey: string | null): string | null {
  return apiKey === null ? null : shownOf(apiKey);
}

/** The visible form of a key: its reference, or `(set)`. */
export function shownOf(apiKey: string): string {
  return isReference(apiKey) ? apiKey : '(set)';
}

const modelFields: readonly (keyof ModelView)[] = [
  'model',
  'description',
  'description_full',
  'model_alias',
  'type',
  'max_input_tokens',
  'max_output_tokens',
  'min_temperature',
  'max_temperature',
  'is_chat_mode_allowed',
  ...priceFieldNames,
  'priced',
];

/** The differences between two versions of a model, field by field. */
export function modelChanges(before: ModelFacts, after: ModelFacts): FieldChange[] {
  const from = toView(0, before);
  const to = toView(0, after);
  return [
    ...difference('provider', from.code, to.code),
    ...modelFields.flatMap((field) => difference(field, from[field] ?? null, to[field] ?? null)),
  ];
}

/** The difference between two lists of fallbacks (ids of models), if any. */
export function fallbackChanges(
  before: readonly number[],
  after: readonly number[],
): FieldChange[] {
  return difference('fallbacks', before.join(' ') || null, after.join(' ') || null);
}

/** @param unreadable the previous key is unknown, so it counts as changed */
export function providerChanges(
  before: ProviderFacts,
  after: ProviderFacts,
  unreadable: boolean,
): FieldChange[] {
  return [
    ...difference('kind', before.kind, after.kind),
    ...difference('base_url', before.baseUrl, after.baseUrl),
    ...keyChanges(before.apiKey, after.apiKey, unreadable),
    ...difference('timeout_seconds', before.timeoutSeconds, after.timeoutSeconds),
    ...optionChanges(before.options, after.options),
    ...routingChanges(before.routing, after.routing),
  ];
}

function routingChanges(
  before: RoutingFacts | undefined,
  after: RoutingFacts | undefined,
): FieldChange[] {
  const [from, to] = [before, after].map((routing) => showKeys(routing, shownOf) ?? null);
  const isOther = showKeys(before, String) !== showKeys(after, String);
  return [
    ...(isOther
      ? [{ field: 'api_keys', from: from ?? null, to: from === to ? '(set anew)' : (to ?? null) }]
      : []),
    ...difference('max_concurrent', before?.maxConcurrent ?? null, after?.maxConcurrent ?? null),
    ...difference(
      'max_requests_per_minute',
      before?.maxRequestsPerMinute ?? null,
      after?.maxRequestsPerMinute ?? null,
    ),
  ];
}

type Options = ProviderFacts['options'];

function optionChanges(before: Options, after: Options): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .toSorted()
    .flatMap((name) => difference(`options.${name}`, before[name] ?? null, after[name] ?? null));
}

function keyChanges(
  before: string | null,
  after: string | null,
  unreadable: boolean,
): FieldChange[] {
  if (!unreadable && before === after) return [];
  const from = unreadable ? '(unreadable)' : showKey(before);
  const to = showKey(after);
  return [{ field: 'api_key', from, to: from === to ? '(set anew)' : to }];
}

function difference(field: string, from: Shown, to: Shown): FieldChange[] {
  return from === to ? [] : [{ field, from, to }];
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
