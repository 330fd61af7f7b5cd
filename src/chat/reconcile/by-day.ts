import type { Database } from '../../db/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { DAY_MS, dateOf, dayOf, startOfDate } from '../../lib/clock.ts';
import type { ExportReader } from './export-reader.ts';
import type { ExportRow } from './export-row.ts';
import { ModelNames } from './model-names.ts';
import type {
  Counts,
  Finding,
  FindingKind,
  ReconcileOptions,
  ReconcileParts,
  Reconciliation,
} from './report.ts';

/** How many sums (days times models) an export by day may have. */
const SUMS_MAX = 200_000;

type OurSum = NonNullable<Finding['ours']> & { provider: string; model: string; day: string };

interface FileSum extends Counts {
  day: string;
  model: string;
  line: number;
}

/**
 * Compares sums by day and model. Our side is the daily totals that each charge updates, so no message is read.
 */
export async function reconcileByDay(
  { db, catalogue }: ReconcileParts,
  reader: ExportReader,
  ask: ReconcileOptions,
): Promise<Reconciliation> {
  const sums = await addUp(reader);
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
  const ours = new Map<string, OurSum>();
  for (const row of used) {
    const known = models.ours(row.modelId);
    if (known) addOurs(ours, known, row);
  }
  const byKey = new Map<string, FileSum>();
  for (const sum of sums.values()) {
    const known = models.named(sum.model, new Set(used.map(({ modelId }) => modelId)));
    const key = keyOf(sum.day, known ?? { provider: '', model: sum.model });
    const before = byKey.get(key);
    byKey.set(key, before ? added(before, sum) : sum);
  }
  const providers = ask.providers.length > 0 ? [...ask.providers] : providersOf(byKey, ours);
  const findings = compare(byKey, ours, new Set(providers));
  const inScope = [...ours.values()].filter(({ provider }) => providers.includes(provider));
  const count = (kind: FindingKind) => findings.filter((one) => one.kind === kind).length;
  const matched = [...byKey.keys()].filter((key) => ours.has(key)).length - count('differing');
  return {
    totals: {
      by: 'day',
      from,
      to,
      providers,
      file: reader.totals(),
      matched,
      ours: {
        requests: total(inScope, 'requests'),
        promptTokens: total(inScope, 'promptTokens'),
        completionTokens: total(inScope, 'completionTokens'),
        charged: total(inScope, 'charged'),
        withoutId: 0,
      },
      differing: count('differing'),
      onlyInFile: count('only_in_file'),
      onlyWithUs: count('only_with_us'),
    },
    unreadable: reader.unreadable,
    async *findings(kind) {
      yield* findings.filter((one) => one.kind === kind);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The sums of the file, by day and by its names of models. */
async function addUp(reader: ExportReader): Promise<Map<string, FileSum>> {
  const sums = new Map<string, FileSum>();
  for await (const rows of reader.batches()) {
    for (const row of rows) {
      const sum = sumOf(row);
      if (typeof sum === 'string') {
        reader.refuse(row.line, sum);
        continue;
      }
      if (!sum) continue;
      const key = keyOf(sum.day, { provider: '', model: sum.model });
      const before = sums.get(key);
      sums.set(key, before ? added(before, sum) : sum);
      if (sums.size > SUMS_MAX) {
        throw invalidField('file', `it has more than ${SUMS_MAX} days and models: split it`);
      }
    }
  }
  return sums;
}

/** @returns undefined for a line without usage, as some exports have for empty days; a text: what is wrong */
function sumOf(row: ExportRow): FileSum | string | undefined {
  const { line, day, model, promptTokens = null, completionTokens = null, requests } = row;
  if (promptTokens === null && completionTokens === null && model === undefined) return undefined;
  if (day === undefined) return 'it has no date';
  if (model === undefined) return 'it has no model';
  if (promptTokens === null && completionTokens === null) return 'it has no tokens';
  return { line, day, model, promptTokens, completionTokens, requests: requests ?? 0 };
}

function added(before: FileSum, sum: FileSum): FileSum {
  return {
    ...before,
    requests: before.requests + sum.requests,
    promptTokens: plus(before.promptTokens, sum.promptTokens),
    completionTokens: plus(before.completionTokens, sum.completionTokens),
  };
}

/** The sum; null if both are unknown. */
function plus(first: number | null, second: number | null): number | null {
  return first === null && second === null ? null : (first ?? 0) + (second ?? 0);
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

/** Sums by the provider's name of a model: two of our models with different prices may be one model there. */
function addOurs(
  sums: Map<string, OurSum>,
  { provider, model }: { provider: string; model: string },
  row: UsageSum,
): void {
  const day = dateOf(row.day * DAY_MS);
  const key = keyOf(day, { provider, model });
  const none = { requests: 0, promptTokens: 0, completionTokens: 0, charged: 0, estimated: false };
  const before = sums.get(key) ?? { ...none, provider, model, day };
  sums.set(key, {
    ...before,
    requests: before.requests + row.requests,
    promptTokens: (before.promptTokens ?? 0) + row.promptTokens,
    completionTokens: (before.completionTokens ?? 0) + row.completionTokens,
    charged: before.charged + row.spend,
  });
}

function providersOf(
  file: ReadonlyMap<string, FileSum>,
  ours: ReadonlyMap<string, OurSum>,
): string[] {
  const codes = [...file.keys()].map((key) => ours.get(key)?.provider);
  return [...new Set(codes.filter((code) => code !== undefined))];
}

function compare(
  file: ReadonlyMap<string, FileSum>,
  ours: ReadonlyMap<string, OurSum>,
  providers: ReadonlySet<string>,
): Finding[] {
  const findings: Finding[] = [];
  const add = (kind: FindingKind, sum: FileSum | undefined, our: OurSum | undefined) => {
    const { provider = null, model = sum?.model ?? null } = our ?? {};
    const day = sum?.day ?? our?.day ?? null;
    findings.push({
      kind,
      day,
      model,
      provider,
      providerMessageId: null,
      line: sum?.line ?? null,
      userId: null,
      messageId: null,
      file: sum ? countsOf(sum) : null,
      ours: our ? { ...countsOf(our), charged: our.charged, estimated: our.estimated } : null,
    });
  };
  for (const [key, sum] of file) {
    const our = ours.get(key);
    if (!our) add('only_in_file', sum, undefined);
    else if (differ(sum, our)) add('differing', sum, our);
  }
  for (const [key, our] of ours) {
    if (!file.has(key) && providers.has(our.provider)) add('only_with_us', undefined, our);
  }
  return findings.toSorted((first, second) => (first.day ?? '').localeCompare(second.day ?? ''));
}

/** Compares the token counts that the file has. Requests are not compared: providers also count failed ones. */
function differ(file: FileSum, ours: OurSum): boolean {
  const pairs = [
    [file.promptTokens, ours.promptTokens],
    [file.completionTokens, ours.completionTokens],
  ] as const;
  return pairs.some(([theirs, known]) => theirs !== null && theirs !== known);
}

function countsOf({ requests, promptTokens, completionTokens }: Counts): Counts {
  return { requests, promptTokens, completionTokens };
}

function keyOf(day: string, { provider, model }: { provider: string; model: string }): string {
  return JSON.stringify([day, provider, model]);
}

function total(
  sums: readonly OurSum[],
  field: 'requests' | 'promptTokens' | 'completionTokens' | 'charged',
): number {
  return sums.reduce((all, sum) => all + (sum[field] ?? 0), 0);
}
