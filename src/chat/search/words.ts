import type { Sql } from '../../db/index.ts';

/** The most characters of a word that are compared. */
export const WORD_CHARS_MAX = 64;
/** Terms with at least as many characters also find the words that begin with them. */
export const PREFIX_CHARS_MIN = 3;

/** A word in a text, and the index of its first UTF-16 unit. */
export interface Word {
  at: number;
  end: number;
  /** The form used for comparisons. */
  folded: string;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    yield { at: index, end: index + word.length, folded: fold(word) };
  }
}

function fold(word: string): string {
  const folded = word.normalize('NFC').toLowerCase().replaceAll('ё', 'е');
  if (folded.length <= WORD_CHARS_MAX) return folded;
  return folded.slice(0, WORD_CHARS_MAX).toWellFormed().replace('\uFFFD', '');
}

/** Reduces words to the form that the index has. */
export type Stems = (words: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * PostgreSQL reduces Russian and English words to their stems; SQLite has no dictionary, so each word is its own stem.
 */
export function stemsOf(sql: Sql): Stems {
  return async (words) => {
    const distinct = [...new Set(words)];
    if (sql.dialect === 'sqlite') return new Map(distinct.map((word) => [word, word]));
    const rows = await sql.query<{ word: string; stem: string }>(
      `SELECT word, COALESCE((CASE WHEN word ~ '^[a-z]+$'
           THEN ts_lexize('pg_catalog.english_stem', word)
           ELSE ts_lexize('pg_catalog.russian_stem', word) END)[1], word) AS stem
       FROM unnest(string_to_array($1, ' ')) AS word`,
      [distinct.join(' ')],
    );
    return new Map(rows.map(({ word, stem }) => [word, stem]));
  };
}

/** Whether a term matches a word; both are stems. */
export function finds(term: string, word: string): boolean {
  return isPrefix(term) ? word.startsWith(term) : word === term;
}

/** Too many words begin with a short term. */
export function isPrefix(term: string): boolean {
  return term.length >= PREFIX_CHARS_MIN;
}

/** A stem as it is in the index, which has the words of all users. */
export function ofUser(userId: number, stem: string): string {
  return `${userId}x${stem}`;
}
