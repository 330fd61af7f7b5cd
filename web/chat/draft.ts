import { type Signal, useSignal } from '@preact/signals';

/** What is being written in a room. It outlives a reload, not the tab. */
export interface Draft {
  text: Signal<string>;
  write: (value: string) => void;
}

export function useDraft(roomId: string): Draft {
  const key = `draft ${roomId}`;
  const text = useSignal(sessionStorage.getItem(key) ?? '');
  // At once: the page may be gone before an effect runs.
  const write = (value: string) => {
    text.value = value;
    if (value === '') sessionStorage.removeItem(key);
    else keep(key, value);
  };
  return { text, write };
}

/** A draft of several megabytes has no room in the browser's storage; it is sent all the same. */
function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    sessionStorage.removeItem(key);
  }
}
