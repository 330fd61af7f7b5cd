import { invalidField } from '../../lib/errors.ts';
import { toRubles } from '../../lib/money.ts';
import type { Steps } from '../../lib/steps.ts';
import { matchesWildcards } from '../../lib/wildcard.ts';
import { modelChanges, type FieldChange } from '../changes.ts';
import { MODELS_MAX } from '../limits.ts';
import { longAboveField, priceFields } from '../../lib/price-fields.ts';
import { type Price } from '../../lib/units.ts';
import type { ModelFacts } from '../model.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import { draftModel } from './new-model.ts';
import { usdTexts, type ImportOutcome, type ImportReport } from './outcome.ts';
import { ROWS_STEP, type ListRow, type PriceList } from './price-list.ts';
import { rublePrice, takesLong } from './ruble-price.ts';
import { readMap, requireKnown, sourceOf } from './sources.ts';
import { readTerms, type ImportOptions, type Terms } from './terms.ts';

export interface ImportTarget {
  id: number | undefined;
  facts: ModelFacts;
  fallbacks: readonly number[];
}

/** The content of a catalogue, from a file or the database. */
export interface ImportTargets<T extends ImportTarget> {
  providers: readonly ProviderFacts[];
  models: readonly T[];
}

/** A changed or added model, with the outcome that reports it. */
export interface Planned {
  facts: ModelFacts;
  outcome: ImportOutcome;
}

/** What to write. `changed` maps a target to its new content. */
export interface ImportPlan<T extends ImportTarget> {
  report: ImportReport;
  changed: Map<T, Planned>;
  added: Planned[];
}

/** Names with `*`. Each is compared with every row of the list. */
const PATTERNS_MAX = 10;

/**
 * Compares a price list with a catalogue. Pure.
 * @throws `invalid_request` for a wrong rate, provider or mapping, or too many patterns
 */
export function planImport<T extends ImportTarget>(
  list: PriceList,
  targets: ImportTargets<T>,
  options: ImportOptions,
): Steps<ImportPlan<T>> {
  return new Planner(list, targets, options).plan();
}

class Planner<T extends ImportTarget> {
  readonly #list: PriceList;
  readonly #targets: ImportTargets<T>;
  readonly #options: ImportOptions;
  readonly #terms: Terms;
  readonly #names: ReadonlySet<string>;
  /** Split at their wildcards. */
  readonly #patterns: readonly (readonly string[])[];
  readonly #rows: Map<string, ListRow[]>;
  readonly #plan: ImportPlan<T>;

  constructor(list: PriceList, targets: ImportTargets<T>, options: ImportOptions) {
    this.#list = list;
    this.#targets = targets;
    this.#options = options;
    this.#terms = readTerms(options, list.date);
    this.#names = new Set(options.add);
    this.#patterns = options.add
      .filter((name) => name.includes('*'))
      .map((name) => name.split('*'));
    if (this.#patterns.length > PATTERNS_MAX) {
      throw invalidField('add', `at most ${PATTERNS_MAX} names may have *`);
    }
    this.#rows = Map.groupBy(list.rows, ({ source }) => source);
    const report = { format: list.format, outcomes: [], notListed: [] };
    this.#plan = { report, changed: new Map(), added: [] };
  }

  *plan(): Steps<ImportPlan<T>> {
    const { providers } = this.#targets;
    const codes = providers.map(({ code }) => code);
    for (const code of this.#options.providers) {
      requireKnown('provider', code, codes, 'provider of the catalogue');
    }
    const map = readMap(this.#options.map, codes, this.#list);
    const requested = providers.filter(
      ({ code }) => this.#options.providers.length === 0 || this.#options.providers.includes(code),
    );
    const used = new Set<string>();
    for (const provider of requested) {
      const source = map.get(provider.code) ?? sourceOf(provider, this.#list);
      if (source !== undefined) used.add(source);
      yield* this.#provider(provider, source);
    }
    for (const [source, rows] of this.#rows) {
      if (used.has(source)) continue;
      rows.forEach((row) => this.#skip(row, 'its provider was not requested'));
      yield;
    }
    this.#keepFallbacksPriced();
    if (this.#targets.models.length + this.#plan.added.length > MODELS_MAX) {
      throw invalidField('add', `a catalogue holds at most ${MODELS_MAX} models: add fewer`);
    }
    return this.#plan;
  }

  *#provider(provider: ProviderFacts, source: string | undefined): Steps<void> {
    const models = this.#targets.models.filter(({ facts }) => facts.provider === provider.code);
    const rows = this.#rows.get(source ?? '') ?? [];
    const byName = Map.groupBy(rows, ({ model }) => model);
    const reason =
      source === undefined
        ? `the list has no prices of provider ${provider.code}: if it has another name there, use --map ${provider.code}=NAME`
        : `the list has no such model from ${source}`;
    for (const [index, target] of models.entries()) {
      if (index % ROWS_STEP === 0) yield;
      const [row] = (source !== undefined && byName.get(target.facts.model)) || [];
      if (row) this.#reprice(provider, target, row);
      else {
        const { model } = target.facts;
        const modelId = target.id;
        this.#plan.report.notListed.push({ modelId, provider: provider.code, model, reason });
      }
    }
    if (source === undefined) return;
    const names = new Set(models.map(({ facts }) => facts.model));
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_STEP === 0) yield;
      if (!names.has(row.model)) this.#offer(provider, row);
    }
  }

  #reprice({ kind }: ProviderFacts, target: T, row: ListRow): void {
    const { facts } = target;
    const priced = rublePrice(row, { kind, ...facts }, this.#terms, this.#options);
    const outcome = this.#outcome(row, target);
    if ('refusal' in priced) return refuse(outcome, priced.refusal);
    const after = { ...facts, price: priced.price, cost: priced.cost };
    outcome.usd = usdTexts(priced.usd);
    outcome.fields = modelChanges(facts, after);
    outcome.kind = outcome.fields.length > 0 ? 'changed' : 'unchanged';
    if (outcome.kind !== 'changed') return;
    this.#plan.changed.set(target, { facts: after, outcome });
    this.#checkSize();
  }

  /** A row for which the catalogue has no model. */
  #offer(provider: ProviderFacts, row: ListRow): void {
    if (!this.#isRequested(row.model)) {
      return this.#skip(row, `${provider.code} has no such model: --add ${row.model} adds it`);
    }
    const outcome = this.#outcome(row, undefined, provider.code);
    if (row.refusal !== undefined) return refuse(outcome, row.refusal);
    const draft = draftModel(row, provider, takesLong(row, this.#options.longContext));
    if ('refusal' in draft) return refuse(outcome, draft.refusal);
    const model = { kind: provider.kind, ...draft.facts, price: null };
    const priced = rublePrice(row, model, this.#terms, this.#options);
    if ('refusal' in priced) return refuse(outcome, priced.refusal);
    const facts = { ...draft.facts, price: priced.price, cost: priced.cost };
    outcome.kind = 'added';
    outcome.note = draft.note;
    outcome.usd = usdTexts(priced.usd);
    outcome.fields = priceFieldsOf(priced.price);
    this.#plan.added.push({ facts, outcome });
    this.#checkSize();
  }

  #checkSize(): void {
    const { most = MODELS_MAX } = this.#options;
    const { changed, added } = this.#plan;
    if (changed.size + added.length <= most) return;
    const advice = 'ask for fewer, provider by provider, or use "zastava catalogue import"';
    const field = added.length > 0 ? 'add' : 'list';
    throw invalidField(field, `changes more than ${most} models at once: ${advice}`);
  }

  /** `*` stands for any text. */
  #isRequested(model: string): boolean {
    if (this.#names.has(model)) return true;
    return this.#patterns.some((segments) => matchesWildcards(segments, model, true));
  }

  #skip(row: ListRow, reason: string): void {
    const outcome = this.#outcome(row, undefined);
    outcome.kind = 'skipped';
    outcome.reason = reason;
  }

  /**
   * The charge for a fallback's answer is the lower of the two prices: if a model got its first price while one of its
   * fallbacks still has no price, answers would become free. Repeated, since one refusal may cause another.
   */
  #keepFallbacksPriced(): void {
    const byId = new Map(this.#targets.models.map((target) => [target.id, target]));
    const isUnpriced = (target: T | undefined) =>
      target !== undefined && !(this.#plan.changed.get(target)?.facts ?? target.facts).price;
    for (let size = -1; size !== this.#plan.changed.size;) {
      size = this.#plan.changed.size;
      for (const [target, { outcome }] of this.#plan.changed) {
        const without = target.fallbacks.find((id) => isUnpriced(byId.get(id)));
        if (without === undefined) continue;
        this.#plan.changed.delete(target);
        outcome.fields = [];
        refuse(
          outcome,
          `its fallback ${without} has no price: set one first, or remove the fallback`,
        );
      }
    }
  }

  /** Adds an outcome to the plan, which the caller fills in. */
  #outcome(row: ListRow, target: T | undefined, provider?: string): ImportOutcome {
    const code = target?.facts.provider ?? provider;
    const outcome: ImportOutcome = {
      kind: 'refused',
      listProvider: row.source,
      listModel: row.key,
      subject: code === undefined ? undefined : subjectOf(target?.id, code, row.model),
      provider: code,
      modelId: target?.id,
      fields: [],
    };
    this.#plan.report.outcomes.push(outcome);
    return outcome;
  }
}

function refuse(outcome: ImportOutcome, reason: string): void {
  outcome.kind = 'refused';
  outcome.reason = reason;
}

/** e.g. `model 101 openai/gpt-5-mini`; without the number if it has no id yet. */
export function subjectOf(id: number | undefined, provider: string, model: string): string {
  return `model ${id === undefined ? '' : `${id} `}${provider}/${model}`;
}

/** The price of a new model, without fixed charges of 0. */
function priceFieldsOf(price: Price): FieldChange[] {
  const fields = priceFields.flatMap(({ price: name, field, per }): FieldChange[] => {
    const amount = price[name];
    if (amount === undefined || (amount === 0 && per === 'call')) return [];
    return [{ field, from: null, to: toRubles(amount) }];
  });
  const { longAbove } = price;
  return longAbove === undefined
    ? fields
    : [...fields, { field: longAboveField, from: null, to: longAbove }];
}
