/**
 * Promise R23: a voucher, a use of an invitation and a payment count once, however many clients send them to all nodes
 * at the same moment, and forged ones do not count at all.
 */
import { newCode } from '../../../src/codes/code-text.ts';
import { campaign, nodesOn, unless, type Report, type Run } from '../support/campaign.ts';
import { postOk, login, loginAsAdmin, post, type Answer } from '../support/client.ts';
import { between, pick, randomFrom, shuffled } from '../support/random.ts';
import { openStand } from '../support/stand.ts';

interface OnceSizes extends Record<string, number> {
  rounds: number;
  /** Concurrently. */
  clients: number;
  /** On PostgreSQL; SQLite has one. */
  nodes: number;
}

/** The most clients of a user: the throttle of codes allows ten concurrent requests, and a user also guesses. */
const CLIENTS_EACH_MAX = 5;
const PASSWORD = 'a password of mine';
const AMOUNT = 100;
/** Payments of a round; many clients report each. */
const PAYMENTS = 5;

export const once = campaign<OnceSizes>({
  name: 'once',
  promise: 'R23',
  title: 'vouchers, invitations and payments count once',
  full: { rounds: 10, clients: 100, nodes: 3 },
  small: { rounds: 1, clients: 16, nodes: 2 },
  run: runOnce,
});

/** What the parts of a round share. */
interface Race {
  round: number;
  clients: number;
  admin: string;
  users: { login: string; token: string }[];
  random: () => number;
  /** Sends bodies concurrently, evenly over the nodes, each from a different address. */
  atOnce: (path: string, requests: readonly Request[]) => Promise<(Answer | undefined)[]>;
  /** One request that must succeed. */
  post: (path: string, body: object) => Promise<Record<string, unknown>>;
  /** The sum of the balances of these users, in rubles. */
  balances: () => Promise<number>;
}

interface Request {
  token?: string | undefined;
  body: object;
  headers?: Record<string, string>;
}

async function runOnce({ dialect, seed, sizes }: Run<OnceSizes>): Promise<Report> {
  const env = { ZASTAVA_TRUSTED_PROXIES: '127.0.0.1', ZASTAVA_REGISTRATION: 'invitation' };
  await using stand = await openStand(dialect, { env });
  const urls = [(await stand.start(0)).url];
  const nodes = nodesOn(dialect, sizes.nodes);
  for (let node = 1; node < nodes; node++) urls.push((await stand.start(node)).url);
  const [first = ''] = urls;
  const admin = await loginAsAdmin(first);
  const random = randomFrom(seed);
  const broken: string[] = [];
  const answers: Record<string, number> = {};
  for (let round = 0; round < sizes.rounds; round++) {
    const count = Math.ceil(sizes.clients / CLIENTS_EACH_MAX);
    const logins = Array.from({ length: count }, (_, at) => `user-${round}-${at}`);
    const users: Race['users'] = [];
    for (const name of logins) {
      await postOk(first, admin, '/admin/users/add/', { login: name, password: PASSWORD });
      users.push({ login: name, token: await login(first, { login: name, password: PASSWORD }) });
    }
    let address = 0;
    const race: Race = {
      round,
      clients: sizes.clients,
      admin,
      users,
      random,
      post: (path, body) => postOk(first, admin, path, body),
      async atOnce(path, requests) {
        const sent = requests.map(({ token, body, headers }) => {
          const from = `198.18.${round % 256}.${address++ % 256}`;
          const url = urls[address % urls.length] ?? first;
          return post(url, token, path, body, { 'x-forwarded-for': from, ...headers });
        });
        const all = await Promise.all(sent);
        for (const answer of all) {
          const name = `${path} ${answer?.code ?? answer?.status ?? 'broke'}`;
          answers[name] = (answers[name] ?? 0) + 1;
        }
        return all;
      },
      async balances() {
        const accounts = await Promise.all(
          users.map(({ token }) => postOk(first, token, '/account/', {})),
        );
        return accounts.reduce((sum, { balance }) => sum + Number(balance), 0);
      },
    };
    for (const part of [oneVoucher, revokedVouchers, invitation, payments]) {
      const found = await part(race);
      broken.push(...found.map((line) => `round ${round}: ${line}`));
    }
  }
  const { checks } = (await postOk(first, admin, '/admin/ledger/verify/', {})) as {
    checks: { name: string; holds: boolean }[];
  };
  const failed = checks.filter(({ holds }) => !holds).map(({ name }) => `the books: ${name}`);
  return { figures: { nodes, answers }, broken: [...broken, ...failed] };
}

interface MadeVouchers {
  batch: { id: number };
  vouchers: { code: string }[];
}

const makeVouchers = async ({ post: send }: Race, count: number) =>
  (await send('/admin/vouchers/create/', { count, amount: AMOUNT })) as unknown as MadeVouchers;

/** All clients redeem one voucher, among forged codes. */
async function oneVoucher(race: Race): Promise<string[]> {
  const { users, clients, random } = race;
  const before = await race.balances();
  const [voucher] = (await makeVouchers(race, 1)).vouchers;
  const genuine = Array.from({ length: clients }, (_, at) => ({
    token: users[at % users.length]?.token,
    body: { code: voucher?.code },
  }));
  // For each user fewer guesses than the throttle allows.
  const forged = users.map(({ token }) => ({ token, body: { code: newCode('voucher').code } }));
  const requests = shuffled([...genuine, ...forged], random);
  const answers = await race.atOnce('/account/redeem/', requests);
  const ofGenuine = answers.filter((_, at) => requests[at]?.body.code === voucher?.code);
  const given = ofGenuine.filter((answer) => answer?.status === 200);
  const distinct = new Set(given.map((answer) => JSON.stringify(answer?.data)));
  const others = ofGenuine.filter((answer) => answer?.status !== 200);
  const credited = (await race.balances()) - before;
  const odd = others.filter((answer) => answer?.code !== 'voucher_used');
  const passed = answers.filter((_, at) => requests[at]?.body.code !== voucher?.code);
  return [
    ...unless(credited === AMOUNT, `one voucher credited ${credited} ₽`),
    ...unless(distinct.size === 1, `one voucher got ${distinct.size} different answers`),
    ...odd.map((answer) => `one voucher: ${answer?.status} ${answer?.code}`),
    ...passed
      .filter((answer) => answer?.code !== 'not_found')
      .map((answer) => `a forged code: ${answer?.status} ${answer?.code}`),
  ];
}

/** A batch is revoked while it is being redeemed: each voucher is either revoked or redeemed. */
async function revokedVouchers(race: Race): Promise<string[]> {
  const { users, clients, admin } = race;
  const before = await race.balances();
  const { batch, vouchers } = await makeVouchers(race, clients);
  const redeem = vouchers.map(({ code }, at) => ({
    token: users[at % users.length]?.token,
    body: { code },
  }));
  const [, revoked] = await Promise.all([
    race.atOnce('/account/redeem/', redeem),
    race.atOnce('/admin/vouchers/revoke/', [{ token: admin, body: { id: batch.id } }]),
  ]);
  const shown = await race.post('/admin/vouchers/show/', { id: batch.id });
  const counts = shown['batch'] as { redeemed: number; revoked: number; outstanding: number };
  const credited = (await race.balances()) - before;
  const reportedRevoked = revoked[0]?.data['revoked'];
  return [
    ...unless(
      credited === counts.redeemed * AMOUNT,
      `${counts.redeemed} vouchers credited ${credited} ₽`,
    ),
    ...unless(
      counts.redeemed + counts.revoked === clients && counts.outstanding === 0,
      `of ${clients} vouchers ${JSON.stringify(counts)}`,
    ),
    ...unless(
      reportedRevoked === counts.revoked,
      `revoked ${String(reportedRevoked)}, not ${counts.revoked}`,
    ),
  ];
}

/** All clients register with one invitation, of one use and of ten. */
async function invitation(race: Race): Promise<string[]> {
  const broken: string[] = [];
  for (const uses of [1, 10]) {
    const made = await race.post('/admin/invitations/create/', { uses, credit: AMOUNT });
    const forged = newCode('invitation').code;
    const requests = Array.from({ length: race.clients }, (_, at) => ({
      body: {
        login: `new-${race.round}-${uses}-${at}`,
        password: PASSWORD,
        code: at % 10 === 9 ? forged : String(made['code']),
      },
    }));
    const answers = await race.atOnce('/auth/register/', requests);
    const registered = answers.flatMap((answer) =>
      answer?.status === 200 ? String(answer.data['login']) : [],
    );
    const { id } = made['invitation'] as { id: number };
    const shown = await race.post('/admin/invitations/show/', { id });
    const users = (shown['users'] as { login: string }[]).map((user) => user.login);
    const list = await race.post('/admin/users/', { search: `new-${race.round}-${uses}-` });
    const balances = (list['users'] as { balance: number }[]).map(({ balance }) => balance);
    const codes = new Set(answers.map((answer) => answer?.code ?? String(answer?.status)));
    for (const code of ['200', 'invitation_ended', 'not_found', 'overloaded']) codes.delete(code);
    broken.push(
      ...unless(registered.length === uses, `${registered.length} registered, of ${uses} uses`),
      ...unless(
        JSON.stringify(users.toSorted()) === JSON.stringify(registered.toSorted()),
        `the invitation of ${uses} uses names ${users.join(' ')}`,
      ),
      ...unless(
        balances.length === uses && balances.every((balance) => balance === AMOUNT),
        `of ${uses} uses, balances ${balances.join(' ')}`,
      ),
      ...[...codes].map((code) => `an invitation: ${code}`),
    );
  }
  return broken;
}

/** Payments, each reported many times and in any order, among forged ones. */
async function payments(race: Race): Promise<string[]> {
  const { round, clients, random, users } = race;
  const before = await race.balances();
  const { key } = await race.post('/admin/keys/create/', {
    login: 'admin',
    name: `shop ${round}`,
    scope: 'credit',
  });
  const chat = await race.post('/admin/keys/create/', { login: 'admin', name: 'x', scope: 'chat' });
  const paid = Array.from({ length: PAYMENTS }, (_, at) => ({
    id: `payment-${round}-${at}`,
    amount: between(1, 1_000, random),
    login: users[at % users.length]?.login,
  }));
  const requestOf = (payment: (typeof paid)[number], token: unknown, amount = payment.amount) => ({
    token: String(token),
    body: { login: payment.login, amount, reason: payment.id },
    headers: { 'idempotency-key': payment.id },
  });
  const reports = [
    ...paid,
    ...Array.from({ length: clients - PAYMENTS }, () => pick(paid, random)),
  ].map((payment) => requestOf(payment, key));
  const answers = await race.atOnce('/admin/users/credit/', shuffled(reports, random));
  // The payments are in the books; now other users claim them.
  const forged = paid.flatMap((payment) => [
    requestOf(payment, key, payment.amount + 1),
    requestOf(payment, chat['key']),
    requestOf(payment, users[0]?.token),
    { ...requestOf(payment, key), headers: {} },
  ]);
  const refused = await race.atOnce('/admin/users/credit/', shuffled(forged, random));
  const credited = (await race.balances()) - before;
  const due = paid.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...unless(credited === due, `payments of ${due} ₽ credited ${credited} ₽`),
    ...answers
      .filter((answer) => answer?.status !== 200)
      .map((answer) => `a payment: ${answer?.status} ${answer?.code}`),
    ...unless(
      refused.every((answer) => answer !== undefined && answer.status !== 200),
      'a forged payment was accepted',
    ),
  ];
}
