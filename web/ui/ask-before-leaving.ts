import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/**
 * The browser asks before it closes or reloads the page, and the page asks before it opens another screen.
 * @param secret what is not shown again; undefined: nothing would be lost
 * @param words the question
 */
export function useAskBeforeLeaving(secret: ReadonlySignal<unknown>, words: string): void {
  const isUnsaved = secret.value !== undefined;
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    const ask = (event: MouseEvent) => {
      // An effect ends some frames after the change of what it depends on.
      if (secret.value === undefined) return;
      const link = event.target instanceof Element && event.target.closest('a');
      if (link && !confirm(words)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    document.addEventListener('click', ask, { capture: true, signal });
    return () => leaving.abort();
  }, [isUnsaved]);
}
