/**
 * Promise R24: an operator's month adds up. Users with keys, vouchers, payments, price changes, refunds and failures,
 * day by day, over HTTP and by the command line; the report equals the sums of the provider's log and the price lists.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { post } from '../support/client.ts';
import { pick, randomFrom } from '../support/random.ts';
import { correction, payments, redeem, redeemEnded, refund, type Day } from './acts.ts';
import {
  compareAccounts,
  compareBalances,
  compareKeys,
  compareSums,
  overspentKeys,
} from './compare.ts';
import { MOMENTS, openOffice, type Office } from './office.ts';
import { makePeople, sendOne, type Answered, type Person } from './people.ts';
import { incident } from './incident.ts';
import { catalogueFile, PLAIN, priceFields, priceLists, setPrice } from './price-list.ts';
import { count, type Counted, type MonthSend } from './recount.ts';
import { BATCHES, makeVouchers, type Batch } from './vouchers.ts';

interface MonthSizes extends Record<string, number> {
  users: number;
  /** Keys of each user. */
  keys: number;
  vouchers: number;
  days: number;
  /** The most sends of each user at each of the three moments of a day. */
  sends: number;
}

export const month = campaign<MonthSizes>({
  name: 'month',
  promise: 'R24',
  title: "an operator's month adds up",
  full: { users: 50, keys: 4, vouchers: 500, days: 30, sends: 2 },
  small: { users: 4, keys: 4, vouchers: 20, days: 6, sends: 2 },
  run: runMonth,
});

/** This many days have everything that can happen; a few days at least have these. */
const WHOLE_MONTH_DAYS = 30;
const common = ['sends', 'charged', 'payments', 'refunds'];
/** Days before and after the month of the report. */
const MARGIN_DAYS = 2;
/** Everything that the days of the month share. */
interface Play {
  office: Office;
  people: Person[];
  sizes: MonthSizes;
  random: () => number;
  sends: MonthSend[];
  statuses: Record<string, number>;
  answered: Answered[];
  /** The refunds of messages, by their texts. */
  refunded: Map<string, bigint>;
  /** Valid ones; those of the last two batches expire in the middle of the month. */
  vouchers: Batch[];
  list: number;
  broken: string[];
}

async function runMonth({ dialect, seed, sizes }: Run<MonthSizes>): Promise<Report> {
  await using office = await openOffice(dialect);
  const people = await makePeople(office, sizes);
  const play: Play = {
    office,
    people,
    sizes,
    random: randomFrom(seed),
    sends: [],
    statuses: {},
    answered: [],
    refunded: new Map(),
    vouchers: await makeVouchers(office, sizes),
    list: 0,
    broken: [],
  };
  for (let day = -MARGIN_DAYS; day < sizes.days + MARGIN_DAYS; day++) {
    for (const [at, moment] of MOMENTS.entries()) {
      office.goTo(day, moment);
      // Acts between sends happen at the first moment, concurrent ones at the second.
      if (at === 0) await turnOf(play, day);
      await Promise.all([sendsOf(play), at === 1 ? actsOf(play) : undefined]);
    }
  }
  return await judge(play);
}

const present = ({ people }: Play) => people.filter(({ isErased }) => !isErased);

/** The changes at the beginning of a day, while nobody sends. */
async function turnOf(play: Play, day: number): Promise<void> {
  const { office, sizes, random, vouchers, broken } = play;
  const at = (share: number) => day === Math.floor(sizes.days * share);
  if (at(1 / 3)) await newPriceList(play);
  if (at(2 / 3)) {
    await office.postOk('/admin/catalogue/price/', { id: PLAIN, price: priceFields(setPrice) });
    play.list = 2;
  }
  if (at(0.4)) await rotateKeys(play);
  if (at(0.5)) {
    const today: Day = { office, people: present(play), random };
    const [revoked, expired] = vouchers.splice(-2);
    if (revoked) await office.command('voucher', 'revoke', String(revoked.batch));
    const ended = [...(revoked?.open ?? []), ...(expired?.open ?? [])];
    broken.push(
      ...(await redeemEnded(
        today,
        ended.slice(-3).map(({ code }) => code),
      )),
    );
  }
  if (at(0.6)) await endOldSecrets(play);
  if (at(0.8)) {
    const gone = pick(present(play), random);
    await office.command('user', 'erase', gone.login, '--yes');
    gone.isErased = true;
  }
  if (at(0.9)) broken.push(...(await incident(play, countedOf(play))));
}

/** A file changes all prices and the rate of the dollar. */
async function newPriceList(play: Play): Promise<void> {
  const { office } = play;
  const [, second] = priceLists;
  if (!second) return;
  const path = join(office.gateway.dataDir, 'second.yaml');
  await writeFile(path, catalogueFile(second, office.baseUrl, office.today()));
  await office.command('catalogue', 'apply', path);
  play.list = 1;
}

/** Every user's first key gets a new secret; the old one stays valid for days. */
async function rotateKeys(play: Play): Promise<void> {
  for (const person of present(play)) {
    const [key] = person.keys;
    if (!key) continue;
    const made = await play.office.command<{ key: string }>(
      'key',
      'rotate',
      key.id,
      '--old-until',
      '30d',
    );
    key.old = key.secret;
    key.secret = made.key;
  }
}

/** Another rotation ends the old secrets, and a key with a budget is revoked. */
async function endOldSecrets({ office, people, broken }: Play): Promise<void> {
  for (const { keys, isErased } of people) {
    const [key, limited] = keys;
    if (isErased || !key?.old) continue;
    const made = await office.postOk('/admin/keys/rotate/', { id: key.id, old_until: 0 });
    for (const ended of [key.old, key.secret]) {
      const status = (await post(office.url, ended, '/account/', {}))?.status;
      broken.push(...unless(status === 401, `an ended secret was answered ${status}`));
    }
    delete key.old;
    key.secret = String(made['key']);
    if (limited && limited.id.charCodeAt(0) % 2 === 0) {
      await office.postOk('/admin/keys/revoke/', { id: limited.id });
    }
  }
}

async function sendsOf(play: Play): Promise<void> {
  const { office, sizes, random, list, sends, statuses, answered } = play;
  await Promise.all(
    present(play).map(async (person) => {
      for (let left = Math.floor(random() * (sizes.sends + 1)); left > 0; left--) {
        const done = await sendOne(office, person, { list, random });
        sends.push(done.sent);
        statuses[done.status] = (statuses[done.status] ?? 0) + 1;
        if (done.answered) answered.push(done.answered);
      }
    }),
  );
}

/** The acts of the operator while users send. */
async function actsOf(play: Play): Promise<void> {
  const { office, sizes, random, vouchers, answered, refunded, broken } = play;
  const day: Day = { office, people: present(play), random };
  const share = Math.ceil(sizes.vouchers / BATCHES / sizes.days);
  broken.push(
    ...(await payments(day, 1 + Math.ceil(sizes.users / 10))),
    ...(await redeem(
      day,
      vouchers.flatMap(({ open }) => open.splice(0, share)),
    )),
  );
  await correction(day);
  const complaints = 1 + Math.ceil(sizes.users / 10);
  for (let left = Math.min(complaints, answered.length); left > 0; left--) {
    const one = pick(answered, random);
    const before = refunded.get(one.message) ?? 0n;
    const charge = countedOf(play, (message) => message === one.message)[0]?.charge ?? 0n;
    const { given, broken: wrong } = await refund(day, one, charge - before);
    refunded.set(one.message, before + given);
    broken.push(...wrong);
  }
}

/** The provider's bills, computed again. */
function countedOf(
  { office, sends }: Play,
  isMeant: (message: string) => boolean = () => true,
): Counted[] {
  const bySend = new Map(sends.map((sent) => [sent.message, sent]));
  return office.billed
    .filter(({ message }) => isMeant(message))
    .map((one) => {
      const sent = bySend.get(one.message);
      if (!sent) throw new Error(`the provider billed what nobody sent: ${one.message}`);
      return count(sent, one);
    });
}

interface Proofs {
  checks: { name: string; holds: boolean }[];
}

async function judge(play: Play): Promise<Report> {
  const { office, people, sizes, statuses, broken } = play;
  const counted = countedOf(play);
  const recount = { counted, movements: office.movements };
  const dateOf = (day: number) => new Date(Date.UTC(2026, 10, 1 + day)).toISOString().slice(0, 10);
  const range = { from: dateOf(0), to: dateOf(sizes.days - 1) };
  const all = { from: dateOf(-MARGIN_DAYS), to: dateOf(sizes.days + MARGIN_DAYS) };
  const { checks } = await office.command<Proofs>('ledger', 'verify');
  const kinds = ['payments', 'refunds', 'corrections'] as const;
  const sums = counted.map((one) => one.sums);
  const figures = {
    keys: people.flatMap(({ keys }) => keys).length,
    sends: play.sends.length,
    charged: counted.length,
    revenue: Number(counted.reduce((sum, { charge }) => sum + charge, 0n)) / 1e6,
    ...Object.fromEntries(
      kinds.map((kind) => [kind, office.movements.filter((one) => one.kind === kind).length]),
    ),
    undercharges: sums.filter((one) => one.undercharges > 0n).length,
    failedAttempts: sums.filter((one) => one.failed_attempts > 0n).length,
    statuses,
  };
  const isWhole = sizes.days >= WHOLE_MONTH_DAYS;
  const nothing = Object.entries(figures).filter(
    ([name, value]) => value === 0 && (isWhole || common.includes(name)),
  );
  return {
    figures,
    broken: linesOf({
      acts: broken,
      sums: await compareSums(office, recount, range),
      allSums: await compareSums(office, recount, all),
      accounts: await compareAccounts(office, recount, { ...range, people }),
      allAccounts: await compareAccounts(office, recount, { ...all, people }),
      balances: await compareBalances(office, recount, people),
      keys: await compareKeys(office, recount, people),
      budgets: overspentKeys(recount, people),
      proofs: checks.filter(({ holds }) => !holds).map(({ name }) => name),
      // Without each of these, nothing is proved about it.
      never: nothing.map(([name]) => name),
    }),
  };
}
