import { DAY_MS, startOfDate } from '../../lib/clock.ts';
import type { ExportReader } from './export-reader.ts';
import { ourAnswers, type BilledAnswer } from './our-answers.ts';
import type {
  Finding,
  FindingKind,
  ReconcileOptions,
  ReconcileParts,
  Reconciliation,
} from './report.ts';
import { Scratch, type OurAnswer } from './scratch.ts';

/**
 * Answers are also searched this many days before and after the days of the file, since clocks and time zones differ.
 */
const MARGIN_DAYS = 1;

const noSums = {
  matched: 0,
  unmatched: 0,
  withoutId: 0,
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  charged: 0,
};
type Sums = typeof noSums;

/** Compares single answers by the provider's id of each answer. */
export async function reconcileById(
  { db, catalogue }: ReconcileParts,
  reader: ExportReader,
  ask: ReconcileOptions,
): Promise<Reconciliation> {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await Scratch.open());
  await keepLines(reader, scratch);
  const from = ask.from ?? reader.firstDay;
  const to = ask.to ?? reader.lastDay;
  const isDated = from !== undefined && to !== undefined;
  const window = {
    from: from === undefined ? 0 : startOfDate(from) - MARGIN_DAYS * DAY_MS,
    to: to === undefined ? Number.MAX_SAFE_INTEGER : startOfDate(to) + (1 + MARGIN_DAYS) * DAY_MS,
  };
  const sums = new Map<string, Sums>();
  for await (const page of ourAnswers(db, catalogue, window)) {
    const inScope = page.filter(
      ({ provider }) => ask.providers.length === 0 || ask.providers.includes(provider),
    );
    const missing = new Set<BilledAnswer>(await scratch.match(inScope.filter(hasId)));
    const expected = (answer: BilledAnswer) => isDated && answer.day >= from && answer.day <= to;
    for (const answer of inScope) add(sums, answer, missing.has(answer), expected(answer));
    await scratch.addOurs(
      inScope.filter(hasId).filter((answer) => missing.has(answer) && expected(answer)),
    );
  }
  const { matched, differing, onlyInFile } = await scratch.counts();
  const providers = ask.providers.length > 0 ? ask.providers : codesOf(sums);
  const total = totalOf(sums, providers);
  const kept = stack.move();
  return {
    totals: {
      by: 'id',
      from: from ?? null,
      to: to ?? null,
      providers: [...providers],
      file: reader.totals(),
      ours: total,
      matched,
      differing,
      onlyInFile,
      onlyWithUs: isDated ? total.unmatched : null,
    },
    unreadable: reader.unreadable,
    findings: (kind: FindingKind): AsyncGenerator<Finding> =>
      kind === 'only_with_us' ? scratch.ours(new Set(providers)) : scratch.lines(kind),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function keepLines(reader: ExportReader, scratch: Scratch): Promise<void> {
  for await (const rows of reader.batches()) {
    const named = rows.flatMap((row) => {
      if (row.id !== undefined) return [{ ...row, id: row.id }];
      reader.refuse(row.line, 'it has no id');
      return [];
    });
    await scratch.addLines(named);
  }
}

function hasId(answer: BilledAnswer): answer is OurAnswer {
  return answer.providerMessageId !== null;
}

/** Counts an answer for its provider, if it has a line in the file or should have one. */
function add(
  sums: Map<string, Sums>,
  answer: BilledAnswer,
  missing: boolean,
  expected: boolean,
): void {
  const isNamed = hasId(answer);
  const isMatched = isNamed && !missing;
  if (!isMatched && !expected) return;
  const sum = sums.get(answer.provider) ?? { ...noSums };
  sums.set(answer.provider, sum);
  if (isMatched) sum.matched++;
  else if (isNamed) sum.unmatched++;
  else sum.withoutId++;
  sum.requests++;
  sum.promptTokens += answer.promptTokens;
  sum.completionTokens += answer.completionTokens;
  sum.charged += answer.charged;
}

/** The providers of the file: those whose answers it contains. */
function codesOf(sums: ReadonlyMap<string, Sums>): string[] {
  return [...sums].filter(([, { matched }]) => matched > 0).map(([code]) => code);
}

function totalOf(sums: ReadonlyMap<string, Sums>, providers: readonly string[]): Sums {
  const total = { ...noSums };
  for (const code of providers) {
    const sum = sums.get(code) ?? noSums;
    for (const name of Object.keys(total) as (keyof Sums)[]) total[name] += sum[name];
  }
  return total;
}
