import type { RankingDiff } from '../diff/diff-rankings.ts';
import type { SeedMove } from '../diff/seed-moves.ts';
import type { Colour } from '../score/verdict.ts';
import { formsOf, type Language } from './words.ts';

export interface DiffWords {
  comparedWith: string;
  /** @param rankedAt an ISO date */
  ranking: (release: string, rankedAt: string, formula: string) => string;
  whatDiffers: string;
  differs: Readonly<Record<RankingDiff['differs'][number], string>>;
  nothing: string;
  inBoth: string;
  newAndGone: string;
  changedColour: string;
  colours: Readonly<Record<Colour, string>>;
  /** Between two colours, in a list. */
  to: string;
  lists: string;
  seedMove: (move: SeedMove) => string;
  columns: Readonly<Record<'domain' | 'colour' | 'score' | 'spam' | 'donors' | 'why', string>>;
  /** The unit of a term that is part of the probability of spam, not of the score. */
  ofSpam: string;
  more: (left: number, named: number) => string;
}

const [en, ru] = [formsOf('en'), formsOf('ru')];

/** In each language. */
export const diffWords: Readonly<Record<Language, DiffWords>> = {
  en: {
    comparedWith: 'compared with',
    ranking: (release, rankedAt, formula) => `${release}, ranked ${rankedAt}, formula ${formula}`,
    whatDiffers: 'what differs',
    differs: { graph: 'the link graph', formula: 'the formula', lists: 'your lists' },
    nothing: 'nothing',
    inBoth: 'domains in both',
    newAndGone: 'new, gone',
    changedColour: 'changed colour',
    colours: { зел: 'green', жел: 'yellow', ор: 'orange' },
    to: 'to',
    lists: 'on the lists, of the domains of the graph:',
    seedMove: ({ change, kind, source, domains }) =>
      `${en.number(domains)} ${kind} ${en.plural(domains, { one: 'domain', other: 'domains' })} ${change}${from(source)}`,
    columns: {
      domain: 'DOMAIN',
      colour: 'COLOUR',
      score: 'XT',
      spam: 'SPAM',
      donors: 'DONORS',
      why: 'WHY',
    },
    ofSpam: 'log-odds',
    more: (left, named) => `and ${en.number(left)} more: --json names ${en.number(named)}`,
  },
  ru: {
    comparedWith: 'сравнение с',
    ranking: (release, rankedAt, formula) =>
      `${release}, рассчитан ${rankedAt}, формула ${formula}`,
    whatDiffers: 'что изменилось',
    differs: { graph: 'граф ссылок', formula: 'формула', lists: 'ваши списки' },
    nothing: 'ничего',
    inBoth: 'доменов в обоих',
    newAndGone: 'новых, исчезло',
    changedColour: 'сменили цвет',
    colours: { зел: 'зелёный', жел: 'жёлтый', ор: 'оранжевый' },
    to: '→',
    lists: 'в списках, из доменов графа:',
    seedMove: ({ change, kind, source, domains }) => {
      const what = { added: 'добавлено', removed: 'убрано' }[change];
      const list = { trusted: 'проверенных', spam: 'спама' }[kind];
      const forms = { one: 'домен', few: 'домена', many: 'доменов' };
      return `${what} в списке ${list}: ${ru.number(domains)} ${ru.plural(domains, forms)}${from(source)}`;
    },
    columns: {
      domain: 'ДОМЕН',
      colour: 'ЦВЕТ',
      score: 'ОЦЕНКА',
      spam: 'СПАМ',
      donors: 'ДОНОРОВ',
      why: 'ПОЧЕМУ',
    },
    ofSpam: 'к логарифму шансов спама',
    more: (left, named) => `и ещё ${ru.number(left)}: с --json названы ${ru.number(named)}`,
  },
};

const from = (source: string | null): string => (source === null ? '' : ` (${source})`);
