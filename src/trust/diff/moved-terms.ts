import type { Component } from '../score/verdict.ts';

/** A term of the formula, with its contribution to the score before and now. */
export interface MovedTerm {
  name: string;
  /** `points` add up to xt, `log-odds` to the probability of spam. */
  unit: Component['unit'];
  before: number;
  after: number;
}

/** How many terms of each unit are named, the weightiest first. */
const TERMS_MAX = 3;
/** A smaller change alters no displayed figure. */
const MOVE_MIN = 0.05;

/**
 * The terms that made the difference between two scores; a term that is missing from one of them contributed nothing
 * there.
 */
export function movedTerms(before: readonly Component[], after: readonly Component[]): MovedTerm[] {
  const found = new Map<string, MovedTerm>();
  const add = (of: 'before' | 'after', { name, unit, contribution }: Component) => {
    const key = `${unit} ${name}`;
    const term = found.get(key) ?? { name, unit, before: 0, after: 0 };
    found.set(key, { ...term, [of]: contribution });
  };
  for (const component of before) add('before', component);
  for (const component of after) add('after', component);
  const moved = [...found.values()].filter((term) => moveOf(term) >= MOVE_MIN);
  const most = (unit: Component['unit']) =>
    moved
      .filter((term) => term.unit === unit)
      .sort((a, b) => moveOf(b) - moveOf(a))
      .slice(0, TERMS_MAX);
  return [...most('points'), ...most('log-odds')];
}

const moveOf = ({ before, after }: MovedTerm): number => Math.abs(after - before);
