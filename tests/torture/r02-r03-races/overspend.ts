/**
 * Promise R3: money for 10, many sends at once over all nodes. The provider reports more than it was
 * allowed, so that each send costs its whole hold: exactly 10 pass, and nothing is left.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { CAP_MAX } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { ask, login, loginAsAdmin, newRoom, post } from '../support/client.ts';
import { dearSend, openRace, others, type RaceSizes } from './races.ts';

const MONEY_FOR = 10;
const MESSAGE = 'race';
/** More than the hold of any send here pays for. */
const TOLD = { prompt: 100 * CAP_MAX, completion: 100 * CAP_MAX };

export const overspend = campaign<RaceSizes>({
  name: 'overspend',
  promise: 'R3',
  title: 'no overspend',
  full: { rounds: 50, requests: 1_000, nodes: 3 },
  // tests/chat/money-race.test.ts is its small size.
  small: undefined,
  async run(run) {
    const rounds: Report[] = [];
    for (let round = 0; round < run.sizes.rounds; round++) rounds.push(await oneRound(run));
    const passed = Map.groupBy(rounds, ({ told }) => Number(told['passed']));
    return {
      told: Object.fromEntries([...passed].map(([n, of]) => [`${n} passed`, of.length])),
      broken: rounds.flatMap(({ broken }, round) =>
        broken.map((line) => `round ${round}: ${line}`),
      ),
    };
  },
});

async function oneRound({ dialect, sizes }: Run<RaceSizes>): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const { stand, first, atOnce } = await openRace(dialect, sizes.nodes, stack, TOLD);
  const admin = await loginAsAdmin(first.url);
  const poor = { login: 'poor', password: 'poor-password' };
  const adminRoom = await newRoom(first.url, admin);
  const estimate = await ask(first.url, admin, '/ai/estimate/', dearSend(adminRoom, MESSAGE));
  const credit = Math.round(Number(estimate['cost_max']) * MONEY_FOR * 1e6) / 1e6;
  await ask(first.url, admin, '/admin/users/add/', { ...poor, credit });
  const token = await login(first.url, poor);
  const body = dearSend(await newRoom(first.url, token), MESSAGE);
  const answers = await atOnce(sizes.requests, (url) => post(url, token, '/ai/send/', body));
  const { balance } = await ask(first.url, token, '/account/', {});
  const passed = answers.filter((answer) => answer?.status === 200).length;
  const { database, provider } = stand;
  const { findings } = await checkBooks({
    database,
    calls: provider.calls,
    log: [],
    died: false,
  });
  // All sends have the same words here, and each is its own.
  const { doubled: _, ...rest } = findings;
  return {
    told: { passed },
    broken: [
      ...linesOf(rest),
      ...others(answers, [200, 402]),
      ...unless(passed === MONEY_FOR, `${passed} passed`),
      ...unless(balance === 0, `the balance is ${String(balance)}`),
      ...unless(provider.calls.length === passed, `${provider.calls.length} calls of the provider`),
    ],
  };
}
