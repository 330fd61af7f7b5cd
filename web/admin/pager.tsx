import { query, setQuery } from '../app/routes.ts';
import { number } from '../i18n/format.ts';
import { w } from './words/index.ts';

/** Rows of a page of a list. */
export const PAGE_ROWS = 50;

/** How many rows the URL skips. */
export function offsetOf(): number {
  const offset = Number(query.value.get('offset') ?? 0);
  return Number.isInteger(offset) && offset > 0 ? offset : 0;
}

function go(to: number): void {
  setQuery({ offset: to > 0 ? String(to) : undefined });
}

/** The position in a list, and links to the next and previous page. The position is part of the URL. */
export function Pager({ offset, shown, total }: { offset: number; shown: number; total: number }) {
  const words = w();
  if (total <= PAGE_ROWS && offset === 0) return null;
  const from = shown === 0 ? 0 : offset + 1;
  return (
    <p class="pager">
      <button type="button" disabled={offset === 0} onClick={() => go(offset - PAGE_ROWS)}>
        {words.previous}
      </button>{' '}
      <span role="status">{words.page(number(from), number(offset + shown), number(total))}</span>{' '}
      <button
        type="button"
        disabled={offset + shown >= total}
        onClick={() => go(offset + PAGE_ROWS)}
      >
        {words.next}
      </button>
    </p>
  );
}
