/**
 * Promise R2: many requests with one key and body, concurrent over all nodes and again after a restart, have one
 * effect.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { loginAsAdmin, newRoom, post } from '../support/client.ts';
import { limitedKey, spentBy } from '../support/limited-key.ts';
import { dearSend, openRace, others, type RaceSizes } from './races.ts';

export const sameKey = campaign<RaceSizes>({
  name: 'same-key',
  promise: 'R2',
  title: 'same key, one effect',
  full: { rounds: 5, requests: 1_000, nodes: 3 },
  // tests/chat/idempotency.test.ts is its small size.
  small: undefined,
  async run(run) {
    const broken: string[] = [];
    for (let round = 0; round < run.sizes.rounds; round++) {
      const report = await oneRound(run);
      broken.push(...report.broken.map((line) => `round ${round}: ${line}`));
    }
    return { figures: { rounds: run.sizes.rounds, requests: run.sizes.requests }, broken };
  },
});

async function oneRound({ dialect, sizes }: Run<RaceSizes>): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const { stand, first, atOnce } = await openRace(dialect, sizes.nodes, stack);
  const admin = await loginAsAdmin(first.url);
  // A second send would exceed its limit; a repeat does not count as one.
  const limited = await limitedKey(first.url, admin, { requests_per_minute: 1 });
  const token = limited.key;
  const body = dearSend(await newRoom(first.url, token), 'once');
  const headers = { 'idempotency-key': 'one-effect' };
  const once = (url: string) => post(url, token, '/ai/send/', body, headers);
  const answers = await atOnce(sizes.requests, once);
  await first.kill();
  const again = await stand.start(0);
  answers.push(await once(again.url));
  const spent = await spentBy(again.url, admin, limited);
  const { database, provider } = stand;
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log: [],
    died: false,
  });
  const given = answers.filter((answer) => answer?.status === 200);
  const distinct = new Set(given.map((answer) => JSON.stringify(answer?.data))).size;
  const { data = {} } = given[0] ?? {};
  const charged = Math.round((Number(data['cost_request']) + Number(data['cost_response'])) * 1e6);
  return {
    figures: {},
    broken: [
      ...linesOf(findings),
      ...others(answers, [200, 409]),
      ...unless(provider.calls.length === 1, `${provider.calls.length} calls of the provider`),
      ...unless(compared.charged === 1, `${compared.charged} charges`),
      ...unless(distinct === 1, `${distinct} different answers`),
      ...unless(spent === charged, `the key counts ${spent}, was charged ${charged}`),
    ],
  };
}
