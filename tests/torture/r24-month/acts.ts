/**
 * The acts of the operator, the shop and the holders of vouchers in the month, each recorded as a movement of money.
 */
import { post, type Answer } from '../support/client.ts';
import { unless } from '../support/campaign.ts';
import { between, pick } from '../support/random.ts';
import { micro, rublesOf, type Office } from './office.ts';
import type { Answered, Person } from './people.ts';
import type { Movement } from './recount.ts';

export interface Day {
  office: Office;
  /** Those who are not erased. */
  people: readonly Person[];
  random: () => number;
}

/** The number of concurrent repeats of a payment or a refund. */
const REPEATS = 3;
let numbers = 0;

function remember(
  { office }: Day,
  { userId }: Person,
  kind: Movement['kind'],
  amount: bigint,
): void {
  office.movements.push({ userId, day: office.today(), kind, amount });
}

/** Top-ups that the shop reports again and again, and one by command. */
export async function payments(day: Day, count: number): Promise<string[]> {
  const { office, people, random } = day;
  const broken: string[] = [];
  for (let at = 0; at < count; at++) {
    const person = pick(people, random);
    const amount = BigInt(between(1, 200_000, random));
    const payment = `payment-${numbers++}`;
    if (at === 0) {
      const words = [person.login, rublesOf(amount), '--reason', payment];
      await office.command('user', 'credit', ...words);
    } else {
      const body = { login: person.login, amount: rublesOf(amount), reason: payment };
      const headers = { 'idempotency-key': payment };
      const answers = await repeated(() =>
        post(office.url, office.shop, '/admin/users/credit/', body, headers),
      );
      broken.push(...sameOf(payment, answers));
    }
    remember(day, person, 'payments', amount);
  }
  return broken;
}

const repeated = (one: () => Promise<Answer | undefined>) =>
  Promise.all(Array.from({ length: REPEATS }, one));

/** All got the same successful answer. */
function sameOf(what: string, answers: readonly (Answer | undefined)[]): string[] {
  const answered = new Set(answers.map((answer) => JSON.stringify([answer?.status, answer?.data])));
  const isGood = answered.size === 1 && answers[0]?.status === 200;
  return unless(isGood, `${what} was answered ${[...answered].join(' and ')}`);
}

/** A user was paid too much: what is still there of the money is taken back. */
export async function correction(day: Day): Promise<void> {
  const { office, people, random } = day;
  const person = pick(people, random);
  const amount = BigInt(between(1, 10_000, random));
  const body = { login: person.login, amount: `-${rublesOf(amount)}`, reason: 'paid twice' };
  const answer = await office.post('/admin/users/credit/', body);
  if (answer?.status === 200) remember(day, person, 'corrections', -amount);
}

/** Two users redeem each of these concurrently, each of them twice. */
export async function redeem(
  day: Day,
  vouchers: readonly { code: string; amount: bigint }[],
): Promise<string[]> {
  const { office, people, random } = day;
  const broken: string[] = [];
  for (const { code, amount } of vouchers) {
    const first = pick(people, random);
    const second = pick(people, random);
    const pair = [first, second, first, second];
    const answers = await Promise.all(
      pair.map(({ keys, address }) => {
        const from = { 'x-forwarded-for': address };
        return post(office.url, keys[0]?.secret, '/account/redeem/', { code }, from);
      }),
    );
    const winners = new Set(pair.filter((_, at) => answers[at]?.status === 200));
    broken.push(...unless(winners.size === 1, `a voucher was redeemed by ${winners.size} users`));
    for (const winner of winners) remember(day, winner, 'payments', amount);
  }
  return broken;
}

/** A voucher that ended gives nothing. */
export async function redeemEnded(day: Day, codes: readonly string[]): Promise<string[]> {
  const { office, people, random } = day;
  const broken: string[] = [];
  for (const code of codes) {
    const { keys, address } = pick(people, random);
    const from = { 'x-forwarded-for': address };
    const answer = await post(office.url, keys[0]?.secret, '/account/redeem/', { code }, from);
    broken.push(...unless(answer?.code === 'voucher_ended', `an ended voucher: ${answer?.code}`));
  }
  return broken;
}

/** Refunds charges, over HTTP with repeats and by command, fully or partly, and never more. */
export async function refund(
  day: Day,
  { person, id }: Answered,
  left: bigint,
): Promise<{ given: bigint; broken: string[] }> {
  const { office, random } = day;
  const { login } = person;
  if (person.isErased || left === 0n) return { given: 0n, broken: [] };
  const part = (left * BigInt(between(1, 100, random))) / 100n || 1n;
  const amount = random() < 0.5 ? left : part;
  const namedAmount = amount === left && random() < 0.5 ? undefined : rublesOf(amount);
  const reason = `complaint ${numbers++}`;
  const tooMuch = rublesOf(left + 1n);
  const words = ['user', 'refund', login, String(id), '--reason', reason];
  const code = await office.tryCommand(...words, '--amount', tooMuch);
  const broken = unless(code === 1, `more than the charge was given back: ${login} ${id}`);
  if (random() < 0.5) {
    const given = await office.command<{ amount: number }>(
      ...words,
      ...(namedAmount === undefined ? [] : ['--amount', namedAmount]),
    );
    broken.push(...unless(micro(given.amount) === amount, `${given.amount} ₽ were given back`));
  } else {
    const body = {
      login,
      message_id: id,
      reason,
      ...(namedAmount !== undefined && { amount: namedAmount }),
    };
    const headers = { 'idempotency-key': reason };
    const answers = await repeated(() => office.post('/admin/users/refund/', body, headers));
    broken.push(...sameOf(reason, answers));
  }
  remember(day, person, 'refunds', amount);
  return { given: amount, broken };
}
