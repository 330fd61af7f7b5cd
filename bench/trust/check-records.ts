/**
 * Makes trust records from a release, on one thread, and prints how fast as JSON: a process of its own, so
 * that it can have a core for itself. Argument: a data directory whose current release is ranked.
 */
import { readConfig } from '../../src/config/index.ts';
import { openCore, type Core } from '../../src/core.ts';
import { prepareInsert, tables } from '../../src/db/index.ts';
import { trustLine } from '../../src/http/legacy/trust.ts';
import { trustRecordView } from '../../src/http/trust/check.ts';
import { silentLog } from '../../src/lib/log.ts';
import { quantileOf } from '../support/numbers.ts';
import { storedPage } from './stored-page.ts';
import { Random } from './random.ts';

export interface RecordSpeed {
  perSecond: number;
  p50Us: number;
  p99Us: number;
  /** Processor time a record, of all threads. */
  cpuUs: number;
}

export interface RecordResult {
  /** The legacy line of domains that were requested a short while ago. */
  line: RecordSpeed;
  /** The same for domains whose page and history are in the database. */
  lineFromDatabase: RecordSpeed;
  /** The JSON answer with reasons and top donors. */
  json: RecordSpeed;
}

/** Fewer domains than the caches hold, and several times more than they hold. */
const [RECENT, STORED] = [10_000, 100_000];
const RECORDS = 200_000;
/** The percentage of requested domains that are not in the release. */
const ABSENT_PERCENT = 10;
/** While warming up, so that the first points share their commits. */
const AT_ONCE = 128;
const caller = { login: 'somebody', remaining: 999 };

if (import.meta.main) {
  const [dataDir = ''] = process.argv.slice(2);
  const config = readConfig({ ZASTAVA_DATA_DIR: dataDir });
  const core = await openCore(config, { asServer: false, overrides: { log: silentLog } });
  console.log(JSON.stringify(await measure(core)));
  await core.close();
}

async function measure(core: Core): Promise<RecordResult> {
  const { check } = core.trust;
  const stored = await addressesWithPages(core);
  const recent = stored.slice(0, RECENT);
  const line = async (url: string) => {
    const record = await check.check(check.siteOf(url), { withTopDonors: false });
    return trustLine(record, { ...caller, mode: '1' });
  };
  const json = async (url: string) => {
    const record = await check.check(check.siteOf(url));
    return JSON.stringify(trustRecordView(record, { ...caller, language: 'en', history: 1 }));
  };
  // Records the first point of each history, and warms up what the rounds use.
  for (let start = 0; start < stored.length; start += AT_ONCE) {
    await Promise.all(stored.slice(start, start + AT_ONCE).map(line));
  }
  const lineFromDatabase = await speedOf(stored, STORED, line);
  for (const url of recent) await json(url);
  return {
    lineFromDatabase,
    line: await speedOf(recent, RECORDS, line),
    json: await speedOf(recent, RECORDS, json),
  };
}

/** One after another, so that each is timed separately. */
async function speedOf(
  urls: readonly string[],
  records: number,
  make: (url: string) => Promise<string>,
): Promise<RecordSpeed> {
  const times = new Float64Array(records);
  const cpu = process.cpuUsage();
  const begin = Bun.nanoseconds();
  for (let record = 0; record < records; record++) {
    const url = urls[record % urls.length] ?? '';
    const before = Bun.nanoseconds();
    await make(url);
    times[record] = Bun.nanoseconds() - before;
  }
  const seconds = (Bun.nanoseconds() - begin) / 1e9;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = [...times];
  return {
    perSecond: records / seconds,
    p50Us: quantileOf(sorted, 0.5) / 1000,
    p99Us: quantileOf(sorted, 0.99) / 1000,
    cpuUs: (user + system) / records,
  };
}

/** Domains of the release, with a page of each as if it had been read just now. @returns addresses */
async function addressesWithPages({ db, clock, trust: { store } }: Core): Promise<string[]> {
  const release = store.current();
  if (!release) throw new Error('there is no current release');
  const random = new Random(9);
  const domains = new Set<string>();
  while (domains.size < Math.min(STORED, release.nodes / 2)) {
    const domain = release.nameOf(random.below(release.nodes));
    domains.add(random.below(100) < ABSENT_PERCENT ? `x${domain}` : domain);
  }
  const now = clock.now();
  const storePages = prepareInsert(tables.trust_pages, {
    onConflict: 'ON CONFLICT (domain) DO UPDATE SET fetched_at = excluded.fetched_at',
  });
  const rows = [...domains].map((domain) => ({
    domain,
    fetched_at: now,
    result: JSON.stringify(storedPage(domain, now)),
  }));
  await db.transaction((tx) => storePages(tx, rows));
  return [...domains].map((domain) => `http://www.${domain}/`);
}
