/**
 * The newest messages of a room, as its row keeps them (`rooms.recent`): ids that grow, set apart by spaces. They
 * spare the search for them whenever a message is sent with context. What holds: every settled message of the room
 * whose id is not below the first of them is among them, but for those that were there when the room was deleted.
 */

/** What is kept, in characters: about a dozen, of which most contexts are made. */
const RECENT_MAX_CHARS = 96;

/** @returns ids, oldest first */
export function readRecent(recent: string): number[] {
  return recent === '' ? [] : recent.split(' ').map(Number);
}

/** Adds a message that is settled now; one that is older than all of them is left to the search. */
export function addRecent(recent: string, id: number): string {
  if (recent === '') return String(id);
  const newest = Number(recent.slice(recent.lastIndexOf(' ') + 1));
  let text = id > newest ? `${recent} ${id}` : inserted(readRecent(recent), id).join(' ');
  while (text.length > RECENT_MAX_CHARS) text = text.slice(text.indexOf(' ') + 1);
  return text;
}

function inserted(ids: number[], id: number): number[] {
  const place = ids.findIndex((one) => one > id);
  return place === 0 ? ids : ids.toSpliced(place, 0, id);
}
