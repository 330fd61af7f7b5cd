/** Named values. Amounts are rubles, times Unix seconds. */
export type ActValues = Readonly<Record<string, string | number | boolean | null>>;

/** The most UTF-16 units of a row's details. With the other columns, a row has at most about 20 kB. */
export const DETAILS_UNITS_MAX = 16 * 1024;
export const SUBJECT_CHARACTERS_MAX = 200;
/** The longest text among the values, as JSON; a longer one is cut and ends in `…`. About a dozen such values fit. */
const VALUE_CHARACTERS_MAX = 500;
const CHANGE_CHARACTERS_MAX = 300;
/** A text that is too long is cut to this share of its length, again and again until it fits. */
const CUT_STEP = 0.9;

export interface Details {
  before?: ActValues;
  after?: ActValues;
  changes?: string[];
  /** The number of changes that did not fit. */
  omitted?: number;
}

interface Given {
  before?: ActValues | undefined;
  after?: ActValues | undefined;
  changes?: readonly string[] | undefined;
}

/** The column `details`: JSON of at most `DETAILS_UNITS_MAX`. Of the values, only those that changed are kept. */
export function detailsOf({ before, after, changes = [] }: Given): string {
  const details: Details = {};
  const isSame = (name: string) => before !== undefined && before[name] === after?.[name];
  if (before) details.before = shortened(before, isSame);
  if (after) details.after = shortened(after, isSame);
  if (changes.length === 0) return JSON.stringify(details);
  const kept: string[] = [];
  let room = DETAILS_UNITS_MAX - jsonLength(details) - ENVELOPE_UNITS;
  for (const change of changes) {
    const line = cut(change, CHANGE_CHARACTERS_MAX);
    room -= jsonLength(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const omitted = changes.length - kept.length;
  return JSON.stringify({ ...details, changes: kept, ...(omitted > 0 && { omitted }) });
}

/** More than `,"changes":[],"omitted":` and its number take. */
const ENVELOPE_UNITS = 64;

function shortened(values: ActValues, isSame: (name: string) => boolean): ActValues {
  const changed = Object.entries(values).filter(([name]) => !isSame(name));
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value, VALUE_CHARACTERS_MAX) : value,
    ]),
  );
}

/** @param max UTF-16 units of the text as JSON */
function cut(text: string, max: number): string {
  if (jsonLength(text) <= max) return text;
  let kept = text.slice(0, max);
  while (jsonLength(kept) >= max) kept = kept.slice(0, Math.floor(kept.length * CUT_STEP));
  return `${kept}…`.toWellFormed();
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
