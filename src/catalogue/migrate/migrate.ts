/** Makes a catalogue file from the configuration of another gateway. */
import { stringify } from 'yaml';
import { DomainError } from '../../lib/errors.ts';
import { parseCatalogue } from '../file.ts';
import type { KnownToFiles } from '../file-reading.ts';
import type { ListRow, PriceList } from '../import/price-list.ts';
import { readPriceList } from '../import/read-list.ts';
import { rublePrice, type Pricing } from '../import/ruble-price.ts';
import { sourceOf } from '../import/sources.ts';
import { readTerms, type ImportOptions, type Terms } from '../import/terms.ts';
import { FILE_ID_MIN, TOKENS_MAX } from '../limits.ts';
import { typeOf } from '../modality.ts';
import { costView } from '../operator-cost.ts';
import { readLiteLlmConfig } from './litellm-config.ts';
import { readChannels } from './new-api.ts';
import { limitsOf, priceLines, rowOf, type DraftOfModality, type Line } from './lines.ts';
import {
  isFallback,
  isRefused,
  type Draft,
  type FallbackDraft,
  type ModelDraft,
  type ProviderDraft,
} from './draft.ts';

export const migrationSources = {
  'litellm-config': readLiteLlmConfig,
  'new-api': readChannels,
} as const;

export type MigrationSource = keyof typeof migrationSources;

export interface MigrationOptions extends Pick<ImportOptions, 'markup'> {
  /** `YYYY-MM-DD`. */
  today: string;
  /** Undefined: no prices, so that the models are for admins until prices are set. */
  usdRate: string | undefined;
  /** For limits and prices that the configuration lacks. */
  list: PriceList | undefined;
}

export interface MigratedRow {
  name: string;
  outcome: 'taken' | 'refused';
  reason?: string;
  /** What the row has and its model lacks. */
  note?: string;
}

export interface Migration {
  /** A catalogue file. */
  text: string;
  rows: MigratedRow[];
}

function refused(reason: string): Omit<MigratedRow, 'name'> {
  return { outcome: 'refused', reason };
}

/** @throws `invalid_request` if no row can be converted */
export function migrate(
  drafts: readonly Draft[],
  known: KnownToFiles,
  options: MigrationOptions,
): Migration {
  const writer = new Writer(known, options);
  const rows = drafts.map((draft): MigratedRow => {
    if (isRefused(draft)) return { ...draft, outcome: 'refused' };
    if (isFallback(draft)) return { name: draft.name, ...writer.addFallbacks(draft) };
    return { name: draft.name, ...writer.add(draft) };
  });
  if (writer.models.length === 0) {
    throw new DomainError('invalid_request', 'no row can be taken', {
      details: rows.map(({ name, reason = '' }) => ({ path: name, message: reason })),
    });
  }
  return { text: stringify(writer.file()), rows };
}

class Writer {
  readonly #known: KnownToFiles;
  readonly #options: MigrationOptions;
  readonly #terms: Terms | undefined;
  readonly #providers = new Map<string, { code: string; draft: ProviderDraft }>();
  /** The first model of each alias. */
  readonly #first = new Map<string, Line>();
  readonly models: Line[] = [];
  readonly #taken = new Set<string>();

  constructor(known: KnownToFiles, options: MigrationOptions) {
    this.#known = known;
    this.#options = options;
    const { usdRate, markup } = options;
    this.#terms = usdRate === undefined ? undefined : readTerms({ usdRate, markup }, options.today);
  }

  /** @param codes undefined: include all providers */
  file(codes?: ReadonlySet<unknown>): Line {
    const providers = [...this.#providers.values()].filter(({ code }) => codes?.has(code) ?? true);
    return {
      providers: Object.fromEntries(providers.map(({ code, draft }) => [code, draft])),
      models: this.models,
    };
  }

  add(given: ModelDraft): Omit<MigratedRow, 'name'> {
    const listed = this.#listed(given);
    const draft = { ...given, modality: given.modality ?? listed?.modality ?? 'text' };
    const code = this.#codeOf(draft);
    const key = JSON.stringify([code, draft.model, typeOf(draft.modality)]);
    if (this.#taken.has(key)) return refused('an earlier row has the same model and provider');
    const row = rowOf(draft, listed);
    const limits = limitsOf(draft, row);
    if (!limits) {
      return refused(
        listed?.refusal ??
          'its limits are unknown: name a price list that has them, or add max_input_tokens and max_output_tokens to its model_info',
      );
    }
    const priced = this.#price(draft, row);
    if ('refusal' in priced) return refused(priced.refusal);
    const line: Line = {
      provider: code,
      model: draft.model,
      description: draft.alias,
      type: typeOf(draft.modality),
      ...(draft.modality !== 'text' && draft.modality !== 'image' && { modality: draft.modality }),
      ...limits,
      ...priceLines(priced.price),
      ...('cost' in priced && { cost: costView(priced.cost) }),
    };
    const problem = this.#problemOf({ providers: { [code]: draft.provider }, models: [line] });
    if (problem !== undefined) return refused(problem);
    this.#keep(draft, code, line);
    this.#taken.add(key);
    const note = [
      ...(draft.left.length > 0 ? [`not taken: ${draft.left.join(', ')}`] : []),
      ...(priced.price ? [] : ['it has no price, so it is for admins only']),
    ].join('; ');
    return { outcome: 'taken', ...(note !== '' && { note }) };
  }

  /** Further models of an alias become fallbacks of its first one. */
  #keep({ alias, provider }: ModelDraft, code: string, line: Line): void {
    this.#providers.set(JSON.stringify(provider), { code, draft: provider });
    const first = this.#first.get(alias);
    const group = first && first['type'] === line['type'] ? first : undefined;
    if (group) {
      group['id'] ??= this.#nextId();
      line['id'] = this.#nextId();
      group['fallbacks'] = [...((group['fallbacks'] as number[] | undefined) ?? []), line['id']];
    } else if (!first) {
      line['model_alias'] = alias;
      this.#first.set(alias, line);
    }
    this.models.push(line);
  }

  /** Gives a model its fallbacks, except those that the catalogue would refuse. */
  addFallbacks({ requested, fallbacks }: FallbackDraft): Omit<MigratedRow, 'name'> {
    const first = this.#first.get(requested);
    if (!first) return refused('no model of that name was taken');
    const left = fallbacks.flatMap((alias): string[] => {
      const target = this.#first.get(alias);
      if (!target) return [`${alias}: no model of that name was taken`];
      const problem = this.#addFallback(first, target);
      return problem === undefined ? [] : [`${alias}: ${problem}`];
    });
    if (left.length === fallbacks.length) return refused(left.join('; ') || 'it names no model');
    return { outcome: 'taken', ...(left.length > 0 && { note: `not taken: ${left.join('; ')}` }) };
  }

  /** @returns why the catalogue would refuse it; undefined if it was added */
  #addFallback(first: Line, target: Line): string | undefined {
    let next = this.#ids;
    const tried: Line = { ...first, id: first['id'] ?? next++ };
    const other: Line = target === first ? tried : { ...target, id: target['id'] ?? next++ };
    const before = (first['fallbacks'] ?? []) as unknown[];
    tried['fallbacks'] = [...before, other['id']];
    // In a file with many models, only these matter.
    const others = this.models.filter(({ id }) => before.includes(id));
    // Their own fallbacks have already been checked.
    const alone = [...others, other].map((line): Line => ({ ...line, fallbacks: undefined }));
    const models = [...new Map([...alone, tried].map((line) => [line['id'], line])).values()];
    const problem = this.#problemOf({ ...this.file(new Set(models.map(codeOf))), models });
    if (problem !== undefined) return problem;
    this.#ids = next;
    Object.assign(target, other);
    Object.assign(first, tried);
    return undefined;
  }

  #ids = FILE_ID_MIN;
  #nextId(): number {
    return this.#ids++;
  }

  /** Rows with the same address, key and settings share a provider. */
  #codeOf({ provider, code }: ModelDraft): string {
    const known = this.#providers.get(JSON.stringify(provider));
    if (known) return known.code;
    const codes = new Set([...this.#providers.values()].map((each) => each.code));
    let free = code;
    for (let number = 2; codes.has(free); number++) free = `${code}-${number}`;
    return free;
  }

  /** Its row in the price list. */
  #listed({ listed, model, provider }: ModelDraft): ListRow | undefined {
    const { list } = this.#options;
    if (!list) return undefined;
    if (listed !== undefined) return list.rows.find(({ key }) => key === listed);
    const source = sourceOf(factsOf(provider), list);
    return list.rows.find((each) => each.source === source && each.model === model);
  }

  #price(
    { provider, modality, facts }: DraftOfModality,
    row: ListRow | undefined,
  ): Pricing | { price: null } {
    const type = typeOf(modality);
    if (!this.#terms || !row?.prices[type]) return { price: null };
    const maxInputTokens = Number(facts['max_input_tokens'] ?? row.limits?.input ?? TOKENS_MAX);
    const model = { kind: provider.kind, type, maxInputTokens, price: null };
    const options = { allowFree: false, longContext: 'both' as const };
    return rublePrice(row, model, this.#terms, options);
  }

  /** Why the catalogue would refuse a file; undefined if it would accept it. */
  #problemOf(file: Line): string | undefined {
    try {
      parseCatalogue(stringify(file), this.#known);
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const [detail] = error.details;
      return detail
        ? `${detail.path}: ${detail.message.replace(/^line \d+: /, '')}`
        : error.message;
    }
  }
}

const codeOf = (line: Line) => line['provider'];

function factsOf({ kind, base_url: baseUrl, options = {} }: ProviderDraft) {
  return { code: '', kind, baseUrl: baseUrl ?? null, keys: [], timeoutSeconds: 0, options };
}

export function migrateText(
  source: MigrationSource,
  config: string,
  known: KnownToFiles,
  texts: Omit<MigrationOptions, 'list'> & { list: string | undefined },
): Migration {
  const { list, ...options } = texts;
  const prices = list === undefined ? undefined : readPriceList(list, options.today);
  return migrate(migrationSources[source](config), known, { ...options, list: prices });
}
