/** Translations by the English sentence. `{name}` stands for a value, which the translation repeats. */
export type Sentences = Readonly<Record<string, string>>;

/** Values that are themselves translated. */
const nested = new Set(['problem', 'hint', 'host', 'wanted']);
/** The forms of values; other values may be any text. Without these, sentences could be mistaken for each other. */
const forms: Readonly<Record<string, string>> = { line: '\\d+', path: '\\S+', max: '[\\d,]+' };

interface Pattern {
  /** The number of characters of the sentence outside its values. */
  words: number;
  /** The text before the first value. */
  start: string;
  whole: RegExp;
  translation: string;
}

/** Translates a sentence; one without a translation stays as it is. */
export type Translate = (sentence: string) => string;

/** @returns a function that translates sentences, and returns those without a translation unchanged */
export function translator(...tables: readonly Sentences[]): Translate {
  // Created at the first sentence: most processes never translate one.
  let made: ReturnType<typeof prepared> | undefined;
  return function translate(sentence: string): string {
    const { all, patterns } = (made ??= prepared(tables));
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

function prepared(tables: readonly Sentences[]) {
  const all = new Map(tables.flatMap((table) => Object.entries(table)));
  const patterns = [...all]
    .filter(([sentence]) => sentence.search(placeholder) >= 0)
    .map(patternOf)
    // The longest first: a shorter pattern may match the same sentence and take part of its words for a value.
    .toSorted((one, other) => other.words - one.words);
  return { all, patterns };
}

/** Does not match `${NAME}` in a sentence about variables. */
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
