import { DomainError } from '../../lib/errors.ts';

export const JSON_DEPTH_MAX = 64;
/**
 * Texts, objects, lists, `true`, `false` and `null` inside the fields of a body. Each costs later code much more than
 * its bytes.
 */
export const JSON_VALUES_MAX = 100_000;
/** Names of fields, in all objects of a body. */
export const JSON_NAMES_MAX = 100_000;
/** Numbers of a body. Lists of token numbers are long. */
export const JSON_NUMBERS_MAX = 1_000_000;

/** No white space has a larger byte. */
const SPACE = 0x20;
const QUOTE = 0x22;
const MINUS = 0x2d;
const COLON = 0x3a;
const LIST = 0x5b;
const ESCAPE = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
/** Marks the end of the bytes; this byte does not occur in UTF-8. */
const END = 0xff;
/** The body is at depth 0, its fields are at depth 1: the number of names bounds them. */
const FIELDS_DEPTH = 1;
/** For longer texts, the runtime searches the end. */
const SHORT_TEXT_BYTES = 64;

/**
 * Counts what a JSON text contains, without parsing it, so that a body that would take long is refused before it is
 * parsed. Text that is not JSON may be counted wrongly; the parser refuses it.
 * @param onText gets the beginning and the end of each text that is not the name of a field, without its quotes
 * @returns the number of values inside the fields that are not numbers
 * @throws `payload_too_large`
 */
export function scanJson(bytes: Uint8Array, onText?: (begin: number, end: number) => void): number {
  let [depth, values, names, numbers, at] = [0, 0, 0, 0, 0];
  while (at < bytes.length) {
    const byte = bytes[at] ?? END;
    if (byte === QUOTE) {
      const begin = at + 1;
      at = afterText(bytes, begin);
      if (isName(bytes, at)) names++;
      else {
        if (depth > FIELDS_DEPTH) values++;
        onText?.(begin, at - 1);
      }
    } else if (byte === OBJECT || byte === LIST) {
      if (depth > FIELDS_DEPTH) values++;
      if (++depth > JSON_DEPTH_MAX) throw tooMany('levels of objects and lists', JSON_DEPTH_MAX);
      at++;
    } else if (byte === OBJECT_END || byte === LIST_END) {
      depth--;
      at++;
    } else if (isDigit(byte) || byte === MINUS) {
      numbers++;
      at = afterWord(bytes, at + 1);
    } else if (isLetter(byte)) {
      if (depth > FIELDS_DEPTH) values++;
      at = afterWord(bytes, at + 1);
    } else at++;
    if (values > JSON_VALUES_MAX) throw tooMany('values', JSON_VALUES_MAX);
    if (names > JSON_NAMES_MAX) throw tooMany('names of fields', JSON_NAMES_MAX);
    if (numbers > JSON_NUMBERS_MAX) throw tooMany('numbers', JSON_NUMBERS_MAX);
  }
  return values;
}

/** @param start the place after the opening quote */
function afterText(bytes: Uint8Array, start: number): number {
  // First byte by byte, then a search: escaped quotes would make many short searches, which take longer.
  for (let at = start; at < bytes.length;) {
    const near = Math.min(bytes.length, at + SHORT_TEXT_BYTES);
    for (; at < near; at++) {
      if (bytes[at] === QUOTE) return at + 1;
      if (bytes[at] === ESCAPE) at++;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) break;
    if (escapesBefore(bytes, quote, at) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
  return bytes.length;
}

/** How many escape characters stand directly before a place, but not before `from`. */
function escapesBefore(bytes: Uint8Array, place: number, from: number): number {
  let first = place;
  while (first > from && bytes[first - 1] === ESCAPE) first--;
  return place - first;
}

/** A text is the name of a field if a colon follows it. */
function isName(bytes: Uint8Array, at: number): boolean {
  let next = at;
  while ((bytes[next] ?? END) <= SPACE) next++;
  return bytes[next] === COLON;
}

/** The end of a number, `true`, `false` or `null`. */
function afterWord(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isWordByte(bytes[next] ?? END)) next++;
  return next;
}

function isWordByte(byte: number): boolean {
  return isDigit(byte) || isLetter(byte) || byte === MINUS || byte === 0x2b || byte === 0x2e;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function tooMany(what: string, max: number): DomainError {
  return new DomainError(
    'payload_too_large',
    `the request body has more than ${max.toLocaleString('en')} ${what}: send less in one request`,
  );
}
