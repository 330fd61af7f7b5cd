import type { TrustRecord } from '../record.ts';

export interface Seen extends Pick<
  TrustRecord,
  'title' | 'workability' | 'xt' | 'spam' | 'colour'
> {
  /** null: unknown. */
  parked: boolean | null;
  language: string | null;
}

export interface Change {
  field: keyof Seen;
  before: Seen[keyof Seen];
  after: Seen[keyof Seen];
}

const fields: readonly (keyof Seen)[] = [
  'title',
  'parked',
  'language',
  'workability',
  'xt',
  'spam',
  'colour',
];

export function seenIn({ title, page, workability, xt, spam, colour }: TrustRecord): Seen {
  const { parked, language } = page;
  return { title, parked, language, workability, xt, spam, colour };
}

/**
 * The changes. A page that can't be read says nothing about title, parking and language: these change only between two
 * pages that were read.
 */
export function changesBetween(before: Seen, after: Seen): Change[] {
  return fields
    .filter((field) => before[field] !== after[field])
    .filter((field) => isKnown(field, before) && isKnown(field, after))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}

const ofPage: ReadonlySet<keyof Seen> = new Set(['title', 'parked', 'language']);
const isKnown = (field: keyof Seen, { parked }: Seen): boolean =>
  parked !== null || !ofPage.has(field);

/** What is remembered after a reading: for a page that could not be read, the earlier facts about it. */
export function remembered(before: Seen | undefined, after: Seen): Seen {
  if (!before || after.parked !== null) return after;
  const { title, parked, language } = before;
  return { ...after, title, parked, language };
}
