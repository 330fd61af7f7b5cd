/** What a link farm buys: xt of targets in a real crawl before and after, and the farm's cost of one point. */
import { formulaV1 } from '../../src/trust/score/formula-v1.ts';
import { prepareCrawl, releaseWith } from './support/cnr-release.ts';
import { loadCnr } from './support/data.ts';
import { farmShapes, type Farm } from './support/farms.ts';
import { meanOf } from './support/statistics.ts';

const SIZES = [10, 30, 100, 300, 1000, 3000, 10_000];
/** Targets of one run: few, so that the farms of one do not weigh on the others. */
const TARGETS = 3;

const edges = await loadCnr();
if (edges) {
  const crawl = await prepareCrawl(edges);
  // From the end: the fit takes its targets from the start.
  const targets = crawl.targets.slice(-TARGETS);
  const before = await releaseWith(crawl, [], formulaV1);
  const start = meanOf(targets.map((node) => before.score(node).xtExact));
  console.log(`targets: ${TARGETS} pages with 3 to 5 donors, xt ${start.toFixed(2)} on the mean`);
  console.log('| farm | nodes | s_PR | xt | gain | spam | farm nodes for one point |');
  console.log('|---|---:|---:|---:|---:|---:|---:|');
  for (const shape of farmShapes) {
    for (const size of SIZES) {
      const farms = targets.map((target, index): Farm => ({
        shape,
        size,
        target,
        seller: crawl.sellers[index] ?? 0,
      }));
      const after = await releaseWith(crawl, farms, formulaV1);
      const scores = targets.map((node) => after.score(node));
      const xt = meanOf(scores.map(({ xtExact }) => xtExact));
      const gain = xt - start;
      const cells = [
        shape,
        size,
        meanOf(targets.map((node) => after.signals(node).pageRank)).toFixed(2),
        xt.toFixed(2),
        gain.toFixed(2),
        `${Math.round(meanOf(scores.map(({ spam }) => spam)))} %`,
        gain > 0.05 ? Math.round(size / gain) : 'none to be had',
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
}
