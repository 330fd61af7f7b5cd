/** A crawl in a separate process, to be killed. It writes a line for each stored page. */
import { openDatabase, type DatabaseConfig } from '../../../src/db/index.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { crawl } from '../../../src/trust/crawl/crawl.ts';
import { fetcherOf } from './web.ts';

export interface Job {
  config: DatabaseConfig;
  resolve: string;
  seeds: string[];
  node: string;
}

const { config, resolve, seeds, node } = JSON.parse(process.argv[2] ?? '') as Job;
const db = openDatabase(config);
await crawl({
  db,
  clock: systemClock,
  fetch: fetcherOf(resolve),
  node,
  seeds,
  limits: { spacingMs: 0, sitesAtOnce: 2, pollMs: 10 },
  onPage: ({ domain, outcome }) => process.stdout.write(`${domain} ${outcome}\n`),
});
await db.close();
