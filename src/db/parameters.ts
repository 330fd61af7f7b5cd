/**
 * SQLite binds `$N` by first appearance (so `$2 … $1` would swap values) and in quadratic time;
 * `?N` binds by number. This rewrites `$N` to `?N` outside string literals, quoted names and comments.
 */
export function toSqliteParameters(text: string): string {
  return text.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)/g,
    (match, number: string | undefined) => (number === undefined ? match : `?${number}`),
  );
}
