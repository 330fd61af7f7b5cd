import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The end of the messages counts as visible within this distance, in pixels. */
const NEAR_END_PX = 40;
/** Within this distance of an edge, in pixels, more messages are put into the page. */
const NEAR_EDGE_PX = 600;

/** The reader's position in a list that grows at both ends. */
export interface Place {
  list: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True while the end is not visible. */
  isAway: Signal<boolean>;
  /** Records the reader's position. @returns the edge that is near */
  scrolled: () => 'start' | 'end' | undefined;
  /**
   * Call it after a change of the list: what the reader sees stays in place; if the end was visible, it stays visible.
   */
  restore: () => void;
  toEnd: () => void;
  /** Brings a message to the top. */
  to: (element: HTMLElement) => void;
}

/** The first element that the reader sees, and how far below the top of the list it begins, in pixels. */
interface Anchor {
  element: Element;
  top: number;
}

export function usePlace(): Place {
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  /** Where the page itself last scrolled to. */
  const followedTo = useRef(0);
  const anchor = useRef<Anchor>(undefined);
  /** Whether a message stays where it was moved, until the reader scrolls. */
  const holds = useRef(false);
  const isAway = useSignal(false);
  const restore = () => {
    const frame = list.current;
    if (!frame) return;
    if (follows.current) {
      frame.scrollTop = frame.scrollHeight;
      followedTo.current = frame.scrollTop;
    } else if (anchor.current?.element.isConnected) {
      const { element, top } = anchor.current;
      frame.scrollTop += topOf(element, frame) - top;
      followedTo.current = frame.scrollTop;
    }
  };
  const scrolled = () => {
    const frame = list.current;
    if (!frame) return undefined;
    const { scrollTop, scrollHeight, clientHeight } = frame;
    const below = scrollHeight - scrollTop - clientHeight;
    // More text may have come since the page followed: that is not scrolling by the reader.
    if (!follows.current || scrollTop !== followedTo.current) follows.current = below < NEAR_END_PX;
    isAway.value = !follows.current;
    if (scrollTop !== followedTo.current) holds.current = false;
    if (!holds.current) anchor.current = anchorOf(frame, content.current);
    if (scrollTop < NEAR_EDGE_PX && !follows.current) return 'start';
    return below < NEAR_EDGE_PX ? 'end' : undefined;
  };
  const toEnd = () => {
    follows.current = true;
    holds.current = false;
    isAway.value = false;
    restore();
  };
  const to = (element: HTMLElement) => {
    const frame = list.current;
    if (!frame) return;
    follows.current = false;
    holds.current = true;
    isAway.value = true;
    element.scrollIntoView({ block: 'start' });
    element.focus({ preventScroll: true });
    followedTo.current = frame.scrollTop;
    anchor.current = { element, top: topOf(element, frame) };
  };
  useEffect(() => {
    // Messages get their height when they become visible, and images when they are loaded.
    const observer = new ResizeObserver(() => {
      if (follows.current || holds.current) restore();
    });
    if (content.current) observer.observe(content.current);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return { list, content, isAway, scrolled, restore, toEnd, to };
}

function topOf(element: Element, frame: Element): number {
  return element.getBoundingClientRect().top - frame.getBoundingClientRect().top;
}

function anchorOf(frame: Element, content: Element | null): Anchor | undefined {
  // A binary search, since there may be hundreds.
  const elements = content?.children ?? [];
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = elements[middle];
    if (one && one.getBoundingClientRect().bottom > frame.getBoundingClientRect().top)
      high = middle;
    else low = middle + 1;
  }
  // The button above the messages disappears.
  const element = [elements[low], elements[low + 1]].find((one) => one?.matches('article'));
  return element && { element, top: topOf(element, frame) };
}
