import { DAY_MS, startOfDate } from '../../lib/clock.ts';
import { addedOurs, noOurs, onlyInFile, type Comparison, type OurCounts } from './comparison.ts';
import type { ExportReader } from './export-reader.ts';
import { ourAnswers, type OurAnswer } from './our-answers.ts';
import type { ReconcileOptions, ReconcileParts, Reconciliation } from './report.ts';
import { Scratch } from './scratch.ts';

/**
 * Answers are also searched this many days before and after the days of the file, since clocks and time zones differ.
 */
const MARGIN_DAYS = 1;

/** Compares single answers by the provider's id of each answer. */
export async function reconcileById(
  { db, catalogue }: ReconcileParts,
  reader: ExportReader,
  ask: ReconcileOptions,
): Promise<Reconciliation> {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await Scratch.open());
  for await (const lines of linesOf(reader)) await scratch.addLines(lines);
  const from = ask.from ?? reader.firstDay;
  const to = ask.to ?? reader.lastDay;
  const window = {
    from: from === undefined ? 0 : startOfDate(from) - MARGIN_DAYS * DAY_MS,
    to: to === undefined ? Number.MAX_SAFE_INTEGER : startOfDate(to) + (1 + MARGIN_DAYS) * DAY_MS,
  };
  const isDated = from !== undefined && to !== undefined;
  const isExpected = ({ day }: OurAnswer) => isDated && day >= from && day <= to;
  const sums = new Map<string, OurSum>();
  for await (const page of ourAnswers(db, catalogue, window)) {
    const inScope = page.filter(
      ({ provider }) => ask.providers.length === 0 || ask.providers.includes(provider),
    );
    const matched = await scratch.match(inScope);
    const missing = inScope.filter((answer) => !matched.has(answer) && isExpected(answer));
    await scratch.addOurs(missing.filter(({ providerMessageId }) => providerMessageId !== null));
    for (const answer of inScope) {
      if (matched.has(answer) || isExpected(answer)) addAnswer(sums, answer);
    }
  }
  const counts = await scratch.counts();
  const ofKind = (...kinds: string[]) => counts.filter(({ kind }) => kinds.includes(kind));
  const total = (rows: typeof counts) => rows.reduce((sum, { count }) => sum + count, 0);
  const found = ofKind('matched', 'differing').flatMap(({ provider }) => provider ?? []);
  const providers = [...new Set(ask.providers.length > 0 ? ask.providers : found)];
  const unmatched = ofKind('only_with_us').filter(({ provider }) =>
    providers.includes(provider ?? ''),
  );
  const kept = stack.move();
  return {
    totals: {
      by: 'id',
      from: from ?? null,
      to: to ?? null,
      providers,
      file: reader.totals(),
      ours: providers.flatMap((code) => sums.get(code) ?? []).reduce(addedSums, noSum),
      matched: total(ofKind('matched')),
      differing: total(ofKind('differing')),
      onlyInFile: total(ofKind('only_in_file')),
      onlyWithUs: isDated ? total(unmatched) : null,
    },
    unreadable: reader.unreadable,
    findings: (kind) => scratch.findings(kind, providers),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function* linesOf(reader: ExportReader): AsyncGenerator<Comparison[]> {
  for await (const rows of reader.batches()) {
    yield rows.flatMap(({ id, line, day = null, model = null, ...row }) => {
      if (id === undefined) {
        reader.refuse(line, 'it has no id');
        return [];
      }
      const file = {
        requests: 1,
        promptTokens: row.promptTokens ?? null,
        completionTokens: row.completionTokens ?? null,
        cachedTokens: row.cachedTokens ?? null,
        reasoningTokens: row.reasoningTokens ?? null,
      };
      return [onlyInFile({ day, model, line, providerMessageId: id, file })];
    });
  }
}

/** The answers of one provider that have a line in the file, or should have one. */
type OurSum = OurCounts & { withoutId: number };

const noSum: OurSum = { ...noOurs, withoutId: 0 };

function addedSums(first: OurSum, second: OurSum): OurSum {
  return { ...addedOurs(first, second), withoutId: first.withoutId + second.withoutId };
}

function addAnswer(sums: Map<string, OurSum>, answer: OurAnswer): void {
  const { provider, providerMessageId, ours } = answer;
  const sum = { ...ours, withoutId: Number(providerMessageId === null) };
  sums.set(provider, addedSums(sums.get(provider) ?? noSum, sum));
}
