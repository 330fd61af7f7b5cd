import type { Core } from '../core.ts';
import {
  diffRankings,
  diffWords,
  trustWords,
  type ColourChange,
  type Language,
  type MovedTerm,
  type RankingDiff,
  type ScoresBefore,
} from '../trust/index.ts';
import type { CliContext } from './context.ts';
import { withProgress } from './progress.ts';
import { pairs, table } from './table.ts';

/** How many domains are shown to people; `--json` has more. */
const CHANGES_SHOWN = 20;

/** Compares a new ranking with the scores that it replaced. @param name the release that was ranked */
export async function diffWith(
  context: CliContext,
  { store, seeds }: Core['trust'],
  before: ScoresBefore,
  name: string,
): Promise<RankingDiff> {
  const sources = new Map((await seeds.list()).map(({ domain, source }) => [domain, source]));
  return withProgress(context, (update) =>
    diffRankings(store, { before, name, sources }, (done, total) => {
      update({ name: 'comparing', done, total });
      return new Promise((resolve) => setImmediate(resolve));
    }),
  );
}

export function diffView({ before, after, seeds, ...diff }: RankingDiff) {
  return { before: rankingView(before), after: rankingView(after), lists: seeds, ...diff };
}

function rankingView({ release, formula, rankedAt }: RankingDiff['before']) {
  return { release, formula, ranked_at: rankedAt };
}

export function diffText(diff: RankingDiff, language: Language): string {
  const { before, compared, appeared, vanished, differs, seeds, colours, changes } = diff;
  const words = diffWords[language];
  const { number } = trustWords[language];
  const total = colours.reduce((sum, { domains }) => sum + domains, 0);
  const facts = pairs({
    [words.comparedWith]: words.ranking(before.release, before.rankedAt, before.formula),
    [words.whatDiffers]: differs.map((one) => words.differs[one]).join(', ') || words.nothing,
    [words.inBoth]: number(compared),
    ...(appeared + vanished > 0 && {
      [words.newAndGone]: `${number(appeared)}, ${number(vanished)}`,
    }),
    [words.changedColour]: number(total),
    ...Object.fromEntries(
      colours.map(({ from, to, domains }) => [
        `  ${words.colours[from]} ${words.to} ${words.colours[to]}`,
        number(domains),
      ]),
    ),
  });
  const left = total - Math.min(changes.length, CHANGES_SHOWN);
  const sections = [
    facts,
    seeds.length === 0
      ? ''
      : [words.lists, ...seeds.map((move) => `  ${words.seedMove(move)}`)].join('\n'),
    changes.length === 0 ? '' : `\n${changesTable(changes.slice(0, CHANGES_SHOWN), language)}`,
    changes.length > 0 && left > 0 ? words.more(left, changes.length) : '',
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function changesTable(changes: readonly ColourChange[], language: Language): string {
  const { columns, colours } = diffWords[language];
  const { tenths, percent } = trustWords[language];
  const share = (spam: number): string => percent(spam / 100);
  return table(
    [
      [columns.domain, ({ domain }) => domain],
      [columns.colour, ({ before, after }) => arrow(colours[before.colour], colours[after.colour])],
      [columns.score, ({ before, after }) => arrow(tenths(before.xt), tenths(after.xt))],
      [columns.spam, ({ before, after }) => arrow(share(before.spam), share(after.spam))],
      [columns.donors, ({ donors }) => String(donors), 'right'],
      [columns.why, ({ terms }) => whyOf(terms, language)],
    ],
    changes,
  );
}

const arrow = (from: string, to: string): string => (from === to ? to : `${from} -> ${to}`);

/** The terms that changed. Where spam took points away, the cause of the spam is named instead. */
function whyOf(terms: readonly MovedTerm[], language: Language): string {
  const { terms: names, points } = trustWords[language];
  const { ofSpam: unitOfSpam } = diffWords[language];
  const ofSpam = terms.filter(({ unit }) => unit === 'log-odds');
  const ofScore = terms.filter(({ unit }) => unit === 'points');
  return ofScore
    .flatMap((term) => (term.name === 'spam' && ofSpam[0] ? [term, ofSpam[0]] : [term]))
    .map(({ name, unit, before, after }) => {
      const size = points(after - before);
      return `${names[name] ?? name} ${size}${unit === 'points' ? '' : ` ${unitOfSpam}`}`;
    })
    .join('; ');
}
