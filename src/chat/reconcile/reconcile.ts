import { DomainError, invalidField } from '../../lib/errors.ts';
import { sumsByDay } from './by-day.ts';
import { linesById, oursById } from './by-id.ts';
import { addedOurs, type OurCounts, type OurSide } from './comparison.ts';
import { ExportReader } from './export-reader.ts';
import type { ReconcileOptions, ReconcileParts, Reconciliation } from './report.ts';
import { Scratch } from './scratch.ts';
import { underchargedAnswers } from './undercharges.ts';

/**
 * Compares a provider's usage export with our messages: single answers by the provider's id if the export has it, else
 * sums by day and model. It only reads, so a server may be running; memory use does not depend on the number of rows.
 * @param pieces the text of the file, CSV with a header line
 * @throws `invalid_request` for an unreadable file or a wrong option
 */
export async function reconcile(
  parts: ReconcileParts,
  pieces: AsyncIterable<string>,
  options: ReconcileOptions,
): Promise<Reconciliation> {
  const known = new Set(parts.catalogue.everyModel().map(({ provider }) => provider));
  for (const code of options.providers) {
    if (!known.has(code))
      throw invalidField('providers', `${code} is not a provider of the catalogue`);
  }
  const reader = await ExportReader.open(pieces, options.columns);
  const by = methodOf(reader);
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await Scratch.open());
  const byDay = by === 'day' ? await sumsByDay(parts, reader, options) : undefined;
  for await (const lines of byDay ? [byDay.lines] : linesById(reader)) {
    await scratch.addLines(lines);
  }
  const { from = reader.firstDay, to = reader.lastDay } = options;
  const isDated = from !== undefined && to !== undefined;
  const isExpected = ({ day }: OurSide) => isDated && day >= from && day <= to;
  const isInScope = (provider: string) =>
    options.providers.length === 0 || options.providers.includes(provider);
  const sums = new Map<string, OurSum>();
  for await (const page of byDay ? [byDay.ours] : oursById(parts, { from, to })) {
    const inScope = page.filter(({ provider }) => isInScope(provider));
    const matched = await scratch.match(inScope);
    const missing = inScope.filter((one) => !matched.has(one) && isExpected(one));
    await scratch.addOurs(missing.filter(({ key }) => key !== null));
    for (const { provider, key, ours } of [...matched, ...missing]) {
      const sum = { ...ours, withoutId: Number(key === null) };
      sums.set(provider, addedSums(sums.get(provider) ?? noSum, sum));
    }
  }
  const undercharged = await addUndercharged(
    scratch,
    underchargedAnswers(parts, { from, to }),
    isInScope,
  );
  const counts = await scratch.counts();
  const count = (kind: string, codes?: readonly (string | null)[]) =>
    counts
      .filter((one) => one.kind === kind && (codes?.includes(one.provider) ?? true))
      .reduce((sum, one) => sum + one.count, 0);
  const found = counts.flatMap(
    ({ kind, provider }) => (kind !== 'only_with_us' && kind !== 'undercharged' && provider) || [],
  );
  const providers = [...new Set(options.providers.length > 0 ? options.providers : found)];
  const kept = stack.move();
  return {
    totals: {
      by: byDay ? 'day' : 'id',
      from: from ?? null,
      to: to ?? null,
      providers,
      file: reader.totals(),
      ours: providers.flatMap((code) => sums.get(code) ?? []).reduce(addedSums, noSum),
      matched: count('matched'),
      differing: count('differing'),
      onlyInFile: count('only_in_file'),
      undercharged,
      onlyWithUs: isDated ? count('only_with_us', providers) : null,
    },
    unreadable: reader.unreadable,
    findings: (kind) => scratch.findings(kind, providers),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** @returns how many there are, and how much of their cost was not charged */
async function addUndercharged(
  scratch: Scratch,
  pages: AsyncIterable<OurSide[]>,
  isInScope: (provider: string) => boolean,
): Promise<Reconciliation['totals']['undercharged']> {
  const sum = { answers: 0, lost: 0 };
  for await (const page of pages) {
    const inScope = page.filter(({ provider }) => isInScope(provider));
    await scratch.addOurs(inScope);
    sum.answers += inScope.length;
    for (const { lost } of inScope) sum.lost += lost ?? 0;
  }
  return sum;
}

/** @throws `invalid_request` if the file lacks the columns of both methods */
function methodOf({ columns, header }: ExportReader): 'id' | 'day' {
  const has = (field: keyof typeof columns) => columns[field].length > 0;
  const hasTokens = has('prompt_tokens') || has('completion_tokens');
  if (hasTokens && has('id')) return 'id';
  if (hasTokens && has('date') && has('model')) return 'day';
  throw new DomainError(
    'invalid_request',
    `the file needs columns of tokens with an id, or with a date and a model; it has ${header.join(', ')}: assign them (over HTTP with the field columns), e.g. --columns "date=Day,model=Model,prompt_tokens=In,completion_tokens=Out"`,
  );
}

/** The answers of one provider that have a line in the file, or should have one. */
type OurSum = OurCounts & { withoutId: number };

const noSum: OurSum = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  charged: 0,
  estimated: false,
  withoutId: 0,
};

function addedSums(first: OurSum, second: OurSum): OurSum {
  return { ...addedOurs(first, second), withoutId: first.withoutId + second.withoutId };
}
