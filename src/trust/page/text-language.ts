import { eld } from 'eld/extrasmall';

/** From this many letters on, a text is long enough; a few words are often names of brands and places. */
const LETTERS_MIN = 40;
/** How many characters are read; more would not change the result. */
const CHARACTERS_MAX = 4_000;
/**
 * Cyrillic letters that do not occur in any of the five known languages of that script: Kazakh or Tatar must not be
 * taken for Ukrainian.
 */
const OTHER_CYRILLIC = /(?![а-яёіїєґўђјљњћџ])[\u0400-\u052f]/gi;
/** From this share of such letters on, a text is in another language. */
const OTHER_CYRILLIC_MAX = 0.01;

/**
 * The language of a text, as a two-letter code, by the frequency of groups of letters.
 * @returns null for a text that is too short, or not in one of the 60 known languages
 */
export function languageOfText(text: string): string | null {
  const sample = text.slice(0, CHARACTERS_MAX);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const others = sample.match(OTHER_CYRILLIC)?.length ?? 0;
  if (letters < LETTERS_MIN || others > OTHER_CYRILLIC_MAX * letters) return null;
  const found = eld.detect(sample);
  return found.isReliable() ? found.language : null;
}
