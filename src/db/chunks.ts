/**
 * Every distinct statement text stays prepared, so rows are cut into chunks of few different sizes: powers of two, and
 * one last chunk of any size. So a statement has at most 34 texts, and the usual batch needs one of them.
 */
export const CHUNK_MAX = 128;
/** The largest size of the last chunk. */
const LAST_CHUNK_MAX = 32;

export function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (let size = CHUNK_MAX; rows.length - start > LAST_CHUNK_MAX;) {
    if (rows.length - start >= size) {
      yield rows.slice(start, start + size);
      start += size;
    } else size /= 2;
  }
  if (start < rows.length) yield rows.slice(start);
}
