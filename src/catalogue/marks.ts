import { DomainError } from '../lib/errors.ts';
import { SENT_MARKS_MAX, SENT_OPENERS_MAX } from './limits.ts';

/**
 * Characters that begin a list, a map, a tag, an anchor or an alias. They cost the parser most, especially nested or in
 * a row.
 */
const openers = '[{!&*';
/** Separate values. */
const marks = `${openers}\n:,-?"'%`;

/**
 * Refuses a catalogue that would take the YAML parser hundreds of megabytes. Its marks are counted without parsing,
 * including those inside texts.
 * @throws `payload_too_large`
 */
export function checkMarks(text: string): void {
  const kinds = new Uint8Array(128);
  for (const mark of marks) kinds[mark.charCodeAt(0)] = openers.includes(mark) ? 2 : 1;
  let [all, opening] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind) all++;
    if (kind === 2) opening++;
  }
  if (all > SENT_MARKS_MAX) throw tooMany('lines, colons, commas, quotes', SENT_MARKS_MAX);
  if (opening > SENT_OPENERS_MAX) throw tooMany('brackets, braces, *, & and !', SENT_OPENERS_MAX);
}

function tooMany(what: string, max: number): DomainError {
  return new DomainError(
    'payload_too_large',
    `the catalogue has more than ${max.toLocaleString('en')} ${what}: send fewer models, or use "zastava catalogue apply", which has no such limit`,
  );
}
