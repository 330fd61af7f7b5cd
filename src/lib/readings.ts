import { escapings, undo, undone, type Escaping } from './escapings.ts';

/** A text as somebody may have meant it, and which part of the text each of its UTF-16 units stands for. */
export interface Reading {
  text: string;
  from: readonly number[];
  to: readonly number[];
}

/** Escapes inside escapes: more ways of undoing them than so many are nobody's way of writing. */
const READINGS_MAX = 40;
/** The same for a text that is only compared with. */
const ROUNDS_MAX = 6;

/**
 * The text as it stands, and after every sequence of undoing what programs do to a text before they put it into
 * another one: by kinds, since what was repeated may have had escapes of its own.
 */
export function readingsOf(text: string): Reading[] {
  const from = Array.from({ length: text.length }, (_, at) => at);
  const readings: Reading[] = [{ text, from, to: from.map((at) => at + 1) }];
  const seen = new Set([text]);
  for (const reading of readings) {
    for (const escaping of escapings) {
      const next = unescaped(reading, escaping);
      if (seen.has(next.text) || readings.length >= READINGS_MAX) continue;
      seen.add(next.text);
      readings.push(next);
    }
  }
  return readings;
}

/** The letters and digits of a reading: case, white space and punctuation may have been changed. */
export function lettersIn(reading: Reading): Reading {
  const kept: Located = { text: '', from: [], to: [] };
  for (let at = 0; at < reading.text.length; at++) {
    append(kept, lettersOf(reading.text.charAt(at)), reading.from[at], reading.to[at]);
  }
  return kept;
}

/** All that is no letter and no digit, as far as it is common. */
const between = /[\0-/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f\ufeff]+/g;

/** A text in lower case, without white space and punctuation. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(between, '');
}

/** A text with every escape in it undone. */
export function plainOf(text: string): string {
  let plain = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = escapings.reduce(undone, plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

interface Located extends Reading {
  from: number[];
  to: number[];
}

function append(reading: Located, piece: string, from = 0, to = 0): void {
  reading.text += piece;
  for (let unit = 0; unit < piece.length; unit++) {
    reading.from.push(from);
    reading.to.push(to);
  }
}

function unescaped({ text, from, to }: Reading, escaping: Escaping): Reading {
  const result: Located = { text: '', from: [], to: [] };
  let done = 0;
  const copyUntil = (end: number): void => {
    for (; done < end; done++) append(result, text.charAt(done), from[done], to[done]);
  };
  for (const { 0: escape, index } of text.matchAll(escaping)) {
    copyUntil(index);
    done = index + escape.length;
    append(result, undo(escape), from[index], to[done - 1]);
  }
  copyUntil(text.length);
  return result;
}
