import type { Locator, Page } from 'playwright-core';

/** The length of the long room. A message is a request with its answer. */
export const MESSAGES = 10_000;

/** A page to chat on, with a room of `MESSAGES` messages, and a model that streams. */
export interface ChatPage extends AsyncDisposable {
  name: string;
  /** Logs in, and takes away what is in the way. */
  logIn: (page: Page) => Promise<void>;
  /** The address of an empty room. */
  empty: string;
  /** The address of the long room. */
  room: string;
  /** Where one writes. Enter sends. */
  box: (page: Page) => Locator;
  /** The selector of what scrolls. */
  scroller: string;
  /** Chooses the model that streams, where it is not the only one. */
  choose?: (page: Page) => Promise<void>;
}
