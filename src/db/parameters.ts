/**
 * Rewrites `$N` to `?N` outside string literals, quoted names and comments. SQLite binds `$N` in the order of first
 * appearance (so `$2 … $1` would swap values) and in quadratic time, but `?N` by number.
 */
export function toSqliteParameters(text: string): string {
  return text.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)/g,
    (match, number: string | undefined) => (number === undefined ? match : `?${number}`),
  );
}
