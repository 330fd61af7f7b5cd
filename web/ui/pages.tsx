import type { ComponentChildren } from 'preact';
import { useAction } from './action.ts';
import { type Loaded, Show, useLoaded } from './loaded.tsx';
import { ErrorProblem } from './states.tsx';

/** Rows per page on screen. */
const PAGE_ROWS = 100;
/** Rows per request when a file is made. */
const FILE_ROWS = 1000;

/**
 * Requests a page.
 * @param limit its rows at most
 * @param last the last row that was read; undefined: the first page
 */
type Read<Answer, Row> = (
  limit: number,
  last: Row | undefined,
  signal?: AbortSignal,
) => Promise<{ answer: Answer; rows: readonly Row[] }>;

/** The part of a list that was read. */
interface Pages<Answer, Row> {
  /** The answer with the first page. */
  answer: Answer;
  rows: readonly Row[];
  isEnd: boolean;
}

export interface LoadedPages<Answer, Row> extends Loaded<Pages<Answer, Row>> {
  /** Reads the next page. */
  next: (before: Pages<Answer, Row>) => Promise<Pages<Answer, Row>>;
}

/**
 * Requests the first page of a list when the screen opens, and again when a key changes.
 * @param keys what the list depends on
 * @param size rows of a page, if other content follows below
 */
export function usePages<Answer, Row>(
  read: Read<Answer, Row>,
  keys: readonly unknown[] = [],
  size = PAGE_ROWS,
): LoadedPages<Answer, Row> {
  const next = async (before?: Pages<Answer, Row>, signal?: AbortSignal) => {
    // One row more than is shown, which tells whether there is another page.
    const { answer, rows } = await read(size + 1, before?.rows.at(-1), signal);
    return {
      answer: before?.answer ?? answer,
      rows: [...(before?.rows ?? []), ...rows.slice(0, size)],
      isEnd: rows.length <= size,
    };
  };
  return { next, ...useLoaded((signal) => next(undefined, signal), keys) };
}

interface ShowPagesProps<Answer, Row> {
  of: LoadedPages<Answer, Row>;
  /** The text of the button for the next page. */
  more: string;
  children: (pages: Pages<Answer, Row>) => ComponentChildren;
}

/** Shows the part of a list that was read, and a button for the next page. */
export function ShowPages<Answer, Row>({ of, more, children }: ShowPagesProps<Answer, Row>) {
  const { error, isBusy, run } = useAction();
  const next = async (shown: Pages<Answer, Row>) => {
    const longer = await of.next(shown);
    // Other filters may have been chosen in the meantime.
    if (of.data.value === shown) of.data.value = longer;
  };
  return (
    <Show of={of}>
      {(pages) => (
        <>
          {children(pages)}
          <ErrorProblem error={error.value} />
          {!pages.isEnd && (
            <p>
              <button
                type="button"
                disabled={isBusy.value}
                onClick={() => void run(() => next(pages))}
              >
                {more}
              </button>
            </p>
          )}
        </>
      )}
    </Show>
  );
}

/** All rows of a list. @throws ApiError */
export async function allRows<Row>(read: Read<unknown, Row>): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const { rows } = await read(FILE_ROWS, all.at(-1));
    all.push(...rows);
    if (rows.length < FILE_ROWS) return all;
  }
}
