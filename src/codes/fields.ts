import { invalidField } from '../lib/errors.ts';

/** The most UTF-16 units of a note on vouchers or an invitation. */
export const NOTE_CHARACTERS_MAX = 200;
/** The latest time that a `Date` can represent. */
const TIME_MAX_MS = 8_640_000_000_000_000;

/** @throws `invalid_request` naming `note` */
export function checkNote(note: string): void {
  if (note.length > NOTE_CHARACTERS_MAX || /[\p{Cc}\p{Cs}]/u.test(note)) {
    throw invalidField(
      'note',
      `must have at most ${NOTE_CHARACTERS_MAX} characters, without control characters`,
    );
  }
}

/** @param expiresAt null: never @throws `invalid_request` naming `expires_at` */
export function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt === null) return;
  if (!(Number.isInteger(expiresAt) && expiresAt > now && expiresAt <= TIME_MAX_MS)) {
    throw invalidField('expires_at', 'must be in the future, and before the year 275760');
  }
}
