import {
  formatOutcome,
  notListedView,
  outcomeView,
  type ImportReport,
} from '../catalogue/index.ts';
import { counted } from './format.ts';
import { pairs, printable } from './table.ts';

interface Terms {
  usdRate: string;
  markup: string;
}

const shown = ['changed', 'added', 'unchanged', 'refused'] as const;

/** For a person: what happens to each model of the catalogue, and how many other rows there are. */
export function reportText(
  report: ImportReport,
  also: readonly string[],
  { usdRate, markup }: Terms,
): string {
  const { outcomes, notListed } = report;
  const lines = shown.flatMap((kind) =>
    outcomes.filter((outcome) => outcome.kind === kind).map(formatOutcome),
  );
  const without = notListed.map(
    ({ modelId, provider, model, reason }) =>
      `not listed model ${modelId === undefined ? '' : `${modelId} `}${provider}/${model}: ${reason}`,
  );
  const besides = also.length > 0 ? ['', 'Applying the file also brings:', ...also] : [];
  const terms = { list: report.format, dollar: `${usdRate} ₽`, markup: `${markup} %` };
  const rows = [...lines, ...without, ...besides].map(printable);
  return [pairs({ ...terms, ...counts(report) }), '', ...rows].join('\n').trimEnd();
}

function counts({ outcomes, notListed }: ImportReport): Record<string, string> {
  const countOf = (wanted: string) => outcomes.filter(({ kind }) => kind === wanted).length;
  return {
    ...Object.fromEntries(shown.map((kind) => [kind, String(countOf(kind))])),
    'not listed': String(notListed.length),
    skipped: `${counted(countOf('skipped'), 'row')} of models that the catalogue does not have`,
  };
}

/** For programs: every row of the list with what happens to it. */
export function reportJson(
  { format, outcomes, notListed }: ImportReport,
  also: readonly string[],
  { usdRate, markup, applied }: Terms & { applied: boolean },
) {
  return {
    format,
    usd_rate: usdRate,
    markup_percent: markup,
    applied,
    rows: outcomes.map(outcomeView),
    not_listed: notListed.map(notListedView),
    also,
  };
}
