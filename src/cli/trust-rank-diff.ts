import type { Core } from '../core.ts';
import {
  diffRankings,
  trustWords,
  type ColourChange,
  type MovedTerm,
  type RankingDiff,
  type ScoresBefore,
} from '../trust/index.ts';
import type { CliContext } from './context.ts';
import { withProgress } from './progress.ts';
import { pairs, table } from './table.ts';

/** Domains that a person sees; `--json` has more. */
const CHANGES_SHOWN = 20;

const words = trustWords.en;
const colourNames = { зел: 'green', жел: 'yellow', ор: 'orange' } as const;
const whatDiffers = { graph: 'the link graph', formula: 'the formula', lists: 'your lists' };

/** Compares a new ranking with the scores that it replaced. @param name the release that was ranked */
export async function diffWith(
  context: CliContext,
  { store, seeds }: Core['trust'],
  before: ScoresBefore,
  name: string,
): Promise<RankingDiff> {
  const sources = new Map((await seeds.list()).map(({ domain, source }) => [domain, source]));
  const startedAt = performance.now();
  return withProgress(context, (update) =>
    diffRankings(store, { before, name, sources }, (done, total) => {
      const rate = (done / (performance.now() - startedAt)) * 1000;
      update({ name: 'comparing', done, total, rate });
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

/** What changed, for a person. */
export function diffText(diff: RankingDiff): string {
  const { before, compared, appeared, vanished, differs, seeds, colours, changes } = diff;
  const total = colours.reduce((sum, { domains }) => sum + domains, 0);
  const facts = pairs({
    'compared with': `${before.release}, ranked ${before.rankedAt}, formula ${before.formula}`,
    'what differs': differs.map((one) => whatDiffers[one]).join(', ') || 'nothing',
    'domains in both': String(compared),
    ...(appeared + vanished > 0 && { 'new, gone': `${appeared}, ${vanished}` }),
    'changed colour': String(total),
    ...Object.fromEntries(
      colours.map(({ from, to, domains }) => [
        `  ${colourNames[from]} to ${colourNames[to]}`,
        String(domains),
      ]),
    ),
  });
  const lists = seeds.map(({ change, kind, source, domains }) => {
    const from = source === null ? '' : ` (${source})`;
    return `  ${domains} ${kind} ${domains === 1 ? 'domain' : 'domains'} ${change}${from}`;
  });
  const left = total - Math.min(changes.length, CHANGES_SHOWN);
  const sections = [
    facts,
    lists.length === 0 ? '' : ['on the lists, of the domains of the graph:', ...lists].join('\n'),
    changes.length === 0 ? '' : `\n${changesTable(changes.slice(0, CHANGES_SHOWN))}`,
    changes.length > 0 && left > 0 ? `and ${left} more: --json names ${changes.length}` : '',
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function changesTable(changes: readonly ColourChange[]): string {
  return table(
    [
      ['DOMAIN', ({ domain }) => domain],
      [
        'COLOUR',
        ({ before, after }) => arrow(colourNames[before.colour], colourNames[after.colour]),
      ],
      ['XT', ({ before, after }) => arrow(before.xt.toFixed(1), after.xt.toFixed(1))],
      ['SPAM', ({ before, after }) => arrow(`${before.spam}%`, `${after.spam}%`)],
      ['DONORS', ({ donors }) => String(donors), 'right'],
      ['WHY', ({ terms }) => whyOf(terms)],
    ],
    changes,
  );
}

const arrow = (from: string, to: string): string => (from === to ? to : `${from} -> ${to}`);

/** The terms that moved. Where spam took points away, what made the spam is named instead. */
function whyOf(terms: readonly MovedTerm[]): string {
  const ofSpam = terms.filter(({ unit }) => unit === 'log-odds');
  const ofScore = terms.filter(({ unit }) => unit === 'points');
  return ofScore
    .flatMap((term) => (term.name === 'spam' && ofSpam[0] ? [term, ofSpam[0]] : [term]))
    .map(({ name, unit, before, after }) => {
      const size = words.points(after - before);
      return `${words.terms[name] ?? name} ${size}${unit === 'points' ? '' : ' log-odds'}`;
    })
    .join('; ');
}
