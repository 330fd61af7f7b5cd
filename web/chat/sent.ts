import type { Body } from '../api/client.ts';

/** A message that was sent. With the same key and body, its answer is followed, and charged once. */
export interface Sent {
  /** The key of its turn in the page. */
  turn: string;
  /** The Idempotency-Key. */
  key: string;
  body: Body<'/ai/send/'>;
  /** Undefined until the server has named the message. */
  id?: number;
}

function nameOf(roomId: string): string {
  return `sent ${roomId}`;
}

/** Stores what is being answered while the tab is open, so that it can be followed after a reload. */
export function keepSent(roomId: string, sent: Sent): void {
  try {
    sessionStorage.setItem(nameOf(roomId), JSON.stringify(sent));
  } catch {
    // Too long for the browser's storage: after a reload, the history shows the answer once it is complete.
    forgetSent(roomId);
  }
}

export function forgetSent(roomId: string): void {
  sessionStorage.removeItem(nameOf(roomId));
}

/** What was being answered in a room when the page was left. */
export function keptSent(roomId: string): Sent | undefined {
  const text = sessionStorage.getItem(nameOf(roomId));
  return text === null ? undefined : (JSON.parse(text) as Sent);
}
