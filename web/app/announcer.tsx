import { signal } from '@preact/signals';

const status = signal('');

/** Tells screen readers what happened, without interrupting them. */
export function announce(words: string): void {
  status.value = words;
}

/** The live region of the page. Errors are alerts at the place where they are shown. */
export function Announcer() {
  return (
    <p class="unseen" role="status">
      {status}
    </p>
  );
}
