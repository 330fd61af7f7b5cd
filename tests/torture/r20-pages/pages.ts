/**
 * Promise R20: hostile pages. Sites of every bad kind are checked, many at once: each gets a record of one line with
 * ten fields, no check takes long, and memory is bounded.
 */
import { legacyCookie } from '../../support/legacy-cookie.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { loginAsAdmin, post } from '../support/client.ts';
import { MIB, peakMemoryOf } from '../support/process-facts.ts';
import { randomFrom } from '../support/random.ts';
import { openStand, SECRET } from '../support/stand.ts';
import { openHostileWeb } from './hostile-site.ts';

const AT_ONCE = 50;
const FIELDS = 10;
/** A record waits a second and a half for its page; as long again for everything else, with 50 at once. */
const ANSWERED_WITHIN_MS = 3_000;
const MEMORY_MAX = 512 * MIB;

export const pages = campaign({
  name: 'pages',
  promise: 'R20',
  title: 'hostile pages',
  full: { sites: 2_000 },
  small: { sites: 20 },
  smallDialects: ['sqlite'],
  run: runPages,
});

async function runPages(run: Run<{ sites: number }>): Promise<Report> {
  const { dialect, seed, sizes, judgeTime } = run;
  const random = randomFrom(seed);
  await using web = await openHostileWeb(sizes.sites, random);
  await using stand = await openStand(dialect, {
    env: {
      ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
      ZASTAVA_FETCH_RESOLVE: web.resolve,
      ZASTAVA_TRUST_DAILY_ALLOWANCE: String(sizes.sites * 3),
    },
  });
  const { url, pid } = await stand.start();
  const token = await loginAsAdmin(url);
  const wrong: string[] = [];
  let slowest = 0;
  let next = 0;
  const client = async () => {
    for (let site = web.hosts[next++]; site; site = web.hosts[next++]) {
      const start = performance.now();
      const answer = await post(url, token, '/trust/check/', { url: site.host, history: 1 });
      slowest = Math.max(slowest, performance.now() - start);
      if (answer?.status !== 200) wrong.push(`${site.kind}: ${answer?.status} ${answer?.code}`);
      const line = await lineOf(url, token, site.host);
      if (line.split('|').length !== FIELDS || /[\r\n\u2028]/.test(line)) {
        wrong.push(`${site.kind}: ${line.slice(0, 200)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const isAlive = await fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
  const peak = peakMemoryOf(pid) ?? 0;
  return {
    figures: { slowestMs: Math.round(slowest), peakMiB: Math.round(peak / MIB) },
    broken: [
      ...linesOf({ wrong }),
      ...unless(isAlive, 'the server is gone'),
      ...unless(!judgeTime || peak <= MEMORY_MAX, `${Math.round(peak / MIB)} MiB of memory`),
      ...unless(
        !judgeTime || slowest <= ANSWERED_WITHIN_MS,
        `a record took ${Math.round(slowest)} ms`,
      ),
    ],
  };
}

/** The same through the older interface: one line. */
async function lineOf(url: string, token: string, host: string): Promise<string> {
  const query = new URLSearchParams({ url: host, tp: '3', h: '1' }).toString();
  const headers = legacyCookie(token, SECRET);
  return (await fetch(`${url}/trast.php?${query}`, { headers })).text();
}
