import type { Tx } from '../../db/index.ts';

/** The `previous_id` of a response whose input is gone. No message has this id, so no conversation continues from it. */
const NOT_CONTINUED = -1;
/** Characters of JSON that are kept of each setting. */
const SETTING_CHARS_MAX = 1_024;
/** The settings contain the request's fields, which all stay, even if their values are cut. */
const FIELDS_LEVEL = 1;
/** `text`, `format` and then `schema`, which is emptied. */
const INNER_LEVEL = 4;

/**
 * Cuts the stored parts of a failed response. Its client still needs to read how it ended, and may delete it; its input
 * was only stored to continue it.
 */
export async function cutResponse(tx: Tx, userId: number, messageId: number): Promise<void> {
  const key = [userId, messageId];
  const [row] = await tx.query<{ settings: string }>(
    'SELECT settings FROM responses WHERE user_id = $1 AND message_id = $2',
    key,
  );
  if (!row) return;
  await tx.query(
    `UPDATE responses SET previous_id = ${NOT_CONTINUED}, input = '[]', settings = $3
     WHERE user_id = $1 AND message_id = $2`,
    [...key, shortened(row.settings)],
  );
}

/**
 * The same JSON object with long values cut: texts to null, lists and objects to empty ones. A reader still finds the
 * members that it knows.
 */
export function shortened(settings: string): string {
  if (settings.length <= SETTING_CHARS_MAX) return settings;
  return JSON.stringify(withShortMembers(JSON.parse(settings) as object, 0));
}

function withShortMembers(value: object, level: number): object {
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [name, shortOf(member, level + 1)]));
}

function shortOf(value: unknown, level: number): unknown {
  if (!isLong(value)) return value;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return [];
  if (level === INNER_LEVEL) return {};
  const cut = withShortMembers(value, level);
  return level > FIELDS_LEVEL && isLong(cut) ? {} : cut;
}

function isLong(value: unknown): boolean {
  return JSON.stringify(value).length > SETTING_CHARS_MAX;
}
