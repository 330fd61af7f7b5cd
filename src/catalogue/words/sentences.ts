/** Sentences by their English form. `{name}` stands for a value, which goes into the same place of the other language. */
export type Sentences = Readonly<Record<string, string>>;

/** Values that are sentences, or parts of one, themselves. */
const nested = new Set(['problem', 'hint', 'host']);
/** What values look like, where a sentence could be taken for another one otherwise. */
const forms: Readonly<Record<string, string>> = { line: '\\d+', path: '\\S+', max: '[\\d,]+' };

interface Pattern {
  /** Characters that are not values. */
  words: number;
  /** What stands before the first value. */
  start: string;
  whole: RegExp;
  translation: string;
}

/** @returns the translation of a sentence; one without a translation stays */
export function translator(...tables: readonly Sentences[]): (sentence: string) => string {
  const all = new Map(tables.flatMap((table) => Object.entries(table)));
  const patterns = [...all]
    .filter(([sentence]) => sentence.search(placeholder) >= 0)
    .map(patternOf)
    // The sentence with the most words of its own: others may have them as a value.
    .toSorted((one, other) => other.words - one.words);
  return function translate(sentence: string): string {
    const same = all.get(sentence);
    if (same !== undefined) return same;
    for (const { start, whole, translation } of patterns) {
      const values = sentence.startsWith(start) ? whole.exec(sentence)?.groups : undefined;
      if (!values) continue;
      return translation.replace(placeholder, (_, name: string) => {
        const value = values[name] ?? '';
        return nested.has(name) ? translate(value) : value;
      });
    }
    return sentence;
  };
}

/** Not the `${NAME}` of a sentence about variables. */
const placeholder = /(?<!\$)\{([a-z]+)\}/g;

function patternOf([sentence, translation]: readonly [string, string]): Pattern {
  const parts = sentence.split(placeholder);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>${forms[part] ?? '.*?'})`,
  );
  return {
    words: sentence.replace(placeholder, '').length,
    start: parts[0] ?? '',
    whole: new RegExp(`^${source.join('')}$`, 's'),
    translation,
  };
}
