import { type Signal, useSignal } from '@preact/signals';

/** The text being written in a room. It survives a reload, but not the tab. */
export interface Draft {
  text: Signal<string>;
  write: (value: string) => void;
}

export function useDraft(roomId: string): Draft {
  const key = `draft ${roomId}`;
  const text = useSignal(sessionStorage.getItem(key) ?? '');
  // Written at once: the page may be gone before an effect runs.
  const write = (value: string) => {
    text.value = value;
    if (value === '') sessionStorage.removeItem(key);
    else keep(key, value);
  };
  return { text, write };
}

/** A draft of several megabytes does not fit into the browser's storage; it can still be sent. */
function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    sessionStorage.removeItem(key);
  }
}
