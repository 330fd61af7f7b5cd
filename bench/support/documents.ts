/** Updates the documents from bench/results.md: their tables, and the plot of the peers. */
import { join } from 'node:path';
import { barsOf } from './bars.ts';
import { compared, documentsWithFigures, spaced, withFigures } from './figures.ts';
import { Results, resultsFile } from './results.ts';

const root = join(import.meta.dir, '../..');
const plot = join(root, 'docs/peers.svg');
/** A bare proxy is not a gateway, and its bar would dwarf all others. */
const PROXY = 'nginx, bare proxy';

export async function updateDocuments(): Promise<void> {
  const results = new Results(await Bun.file(resultsFile).text());
  for (const path of documentsWithFigures) {
    const file = join(root, path);
    await Bun.write(file, withFigures(path, await Bun.file(file).text(), results));
  }
  await Bun.write(plot, plotOfPeers(results));
}

function plotOfPeers(results: Results): string {
  const bars = compared(results)
    .filter((row) => row !== PROXY)
    .map((row) => ({
      name: row,
      value: results.number('S1', row, 'answers/s'),
      label: spaced(results.cell('S1', row, 'answers/s')),
      isOurs: row.startsWith('Zastava'),
    }));
  return barsOf('Requests a second on one core', bars);
}

if (import.meta.main) await updateDocuments();
