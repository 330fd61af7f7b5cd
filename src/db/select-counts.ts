/** SQL: counts under their names. @param table the prefix of their columns, such as `m.` */
export function selectCounts(
  counts: readonly { count: string; column: string }[],
  table = '',
): string {
  return counts.map(({ count, column }) => `${table}${column} AS "${count}"`).join(', ');
}
