import type { Database } from '../../db/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { DAY_MS, dateOf, dayOf, startOfDate } from '../../lib/clock.ts';
import { addedOurs, kindOf, merged, noOurs, onlyInFile, type Comparison } from './comparison.ts';
import type { ExportReader } from './export-reader.ts';
import type { ExportRow } from './export-row.ts';
import { ModelNames, type NamedModel } from './model-names.ts';
import type { ReconcileOptions, ReconcileParts, Reconciliation } from './report.ts';

/** How many sums (days times models) an export by day may have. */
const SUMS_MAX = 200_000;

/**
 * Compares sums by day and model. Our side is the daily totals that each charge updates, so no message is read.
 */
export async function reconcileByDay(
  { db, catalogue }: ReconcileParts,
  reader: ExportReader,
  ask: ReconcileOptions,
): Promise<Reconciliation> {
  const exported = await addUp(reader);
  const from = ask.from ?? reader.firstDay;
  const to = ask.to ?? reader.lastDay;
  if (from === undefined || to === undefined) {
    throw new DomainError(
      'invalid_request',
      'the file has no line with a date, a model and tokens',
    );
  }
  const models = new ModelNames(catalogue.everyModel(), ask);
  const used = await usage(db, from, to);
  const usedIds = new Set(used.map(({ modelId }) => modelId));
  const sums = new Sums();
  for (const row of used) {
    const model = models.ours(row.modelId);
    // Two of our models with different prices may be one model at the provider.
    if (model) sums.add(model, ourSum(row, model));
  }
  for (const sum of exported) sums.add(models.named(sum.model ?? '', usedIds), sum);
  const all = sums.list();
  const found = all.flatMap(({ file, provider }) => (file && provider) ?? []);
  const providers = [...new Set(ask.providers.length > 0 ? ask.providers : found)];
  const inScope = all.filter(({ file, provider }) => file ?? providers.includes(provider ?? ''));
  const findings = inScope.map((one) => ({ ...one, kind: kindOf(one) }));
  const ofKind = (kind: string) => findings.filter((one) => one.kind === kind);
  const ours = all.flatMap((one) => (providers.includes(one.provider ?? '') && one.ours) || []);
  return {
    totals: {
      by: 'day',
      from,
      to,
      providers,
      file: reader.totals(),
      matched: ofKind('matched').length,
      ours: { ...ours.reduce(addedOurs, noOurs), withoutId: 0 },
      differing: ofKind('differing').length,
      onlyInFile: ofKind('only_in_file').length,
      onlyWithUs: ofKind('only_with_us').length,
    },
    unreadable: reader.unreadable,
    async *findings(kind) {
      for (const one of ofKind(kind)) yield { ...one, kind };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Sums by day and model. */
class Sums {
  readonly #sums = new Map<string, Comparison>();

  get size(): number {
    return this.#sums.size;
  }

  /** @param model undefined: one that the catalogue does not have */
  add(model: NamedModel | undefined, sum: Comparison): void {
    const key = JSON.stringify([sum.day, model?.provider, model?.model ?? sum.model]);
    const before = this.#sums.get(key);
    this.#sums.set(key, before ? merged(before, sum) : sum);
  }

  /** By day. */
  list(): Comparison[] {
    return [...this.#sums.values()].sort((one, other) =>
      (one.day ?? '').localeCompare(other.day ?? ''),
    );
  }
}

/** The sums of the file, by day and by its names of models. */
async function addUp(reader: ExportReader): Promise<Comparison[]> {
  const sums = new Sums();
  for await (const rows of reader.batches()) {
    for (const row of rows) {
      const sum = fileSum(row);
      if (typeof sum === 'string') reader.refuse(row.line, sum);
      else if (sum) sums.add(undefined, sum);
      if (sums.size > SUMS_MAX) {
        throw invalidField('file', `it has more than ${SUMS_MAX} days and models: split it`);
      }
    }
  }
  return sums.list();
}

/** @returns undefined for a line without usage, as some exports have for empty days; a text: what is wrong */
function fileSum(row: ExportRow): Comparison | string | undefined {
  const { line, day, model, promptTokens = null, completionTokens = null, requests = 0 } = row;
  if (promptTokens === null && completionTokens === null && model === undefined) return undefined;
  if (day === undefined) return 'it has no date';
  if (model === undefined) return 'it has no model';
  if (promptTokens === null && completionTokens === null) return 'it has no tokens';
  return onlyInFile({ day, model, line, file: { requests, promptTokens, completionTokens } });
}

interface UsageSum {
  day: number;
  modelId: number;
  requests: number;
  promptTokens: number;
  completionTokens: number;
  spend: number;
}

/** All users together. */
function usage(db: Database, from: string, to: string): Promise<UsageSum[]> {
  return db.query<UsageSum>(
    `SELECT day, model_id AS "modelId", CAST(SUM(requests) AS BIGINT) AS requests,
       CAST(SUM(prompt_tokens) AS BIGINT) AS "promptTokens",
       CAST(SUM(completion_tokens) AS BIGINT) AS "completionTokens",
       CAST(SUM(spend) AS BIGINT) AS spend
     FROM usage_daily WHERE day BETWEEN $1 AND $2 GROUP BY day, model_id ORDER BY day, model_id`,
    [dayOf(startOfDate(from)), dayOf(startOfDate(to))],
  );
}

function ourSum({ day, spend, ...row }: UsageSum, { provider, model }: NamedModel): Comparison {
  const { requests, promptTokens, completionTokens } = row;
  return {
    day: dateOf(day * DAY_MS),
    model,
    provider,
    providerMessageId: null,
    line: null,
    userId: null,
    messageId: null,
    file: null,
    ours: { requests, promptTokens, completionTokens, charged: spend, estimated: false },
  };
}
