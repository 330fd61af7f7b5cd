/**
 * Merges the texts of several processes into one: all samples of a metric follow its first lines.
 * @param texts of `Metrics.text`
 */
export function mergedMetrics(texts: readonly string[]): string {
  const byName = new Map<string, { head: string; samples: string[] }>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = block.split('\n').filter((line) => line !== '');
    const head = lines.slice(0, 2).join('\n');
    const samples = lines.slice(2);
    const name = head.split(' ')[2] ?? '';
    const known = byName.get(name);
    if (known) known.samples.push(...samples);
    else byName.set(name, { head, samples });
  }
  return [...byName.values()]
    .map(({ head, samples }) => `${[head, ...samples].join('\n')}\n`)
    .join('\n');
}
