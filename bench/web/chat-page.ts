import type { Locator, Page } from 'playwright-core';

/** The length of the long room. A message is a request with its answer. */
export const MESSAGES = 10_000;

/** A page for chatting, with a room of `MESSAGES` messages and a model that streams. */
export interface ChatPage extends AsyncDisposable {
  name: string;
  /** Logs in, and closes everything that is in the way. */
  logIn: (page: Page) => Promise<void>;
  /** The address of an empty room. */
  empty: string;
  /** The address of the long room. */
  room: string;
  /** The field for a message. Enter sends it. */
  box: (page: Page) => Locator;
  /** The selector of the scrolling element. */
  scroller: string;
  /** Chooses the model that streams, if there are several. */
  choose?: (page: Page) => Promise<void>;
}
