/** The users of the month with their API keys: how they registered, and their sends. */
import { postOk, post } from '../support/client.ts';
import { between, pick } from '../support/random.ts';
import type { Fate } from './billing-provider.ts';
import { micro, rublesOf, type Office } from './office.ts';
import { CAP_MAX, FALLING, PLAIN, UNCOSTED } from './price-list.ts';
import type { MonthSend } from './recount.ts';

export interface MonthKey {
  id: string;
  secret: string;
  /** The secret before the last rotation, as long as it is valid. */
  old?: string;
  /** Micro-rubles. */
  limits: { total?: bigint; day?: bigint; month?: bigint };
}

export interface Person {
  login: string;
  userId: number;
  roomId: string;
  /** The first has no limits. */
  keys: MonthKey[];
  /** The user's address. */
  address: string;
  isErased: boolean;
}

/** A message that was answered. */
export interface Answered {
  person: Person;
  id: number;
  message: string;
}

const PASSWORD = 'a password of mine';
/** Rubles. A send costs a few kopecks, and holds up to 20. */
const CREDIT = 0.3;
const BUDGET_TOTAL = 0.15;
const BUDGET_DAY = 0.2;
const BUDGET_MONTH = 0.25;

/** By command, over HTTP, or with an invitation, in turn. */
export async function makePeople(
  office: Office,
  { users, keys }: { users: number; keys: number },
): Promise<Person[]> {
  const invitation = await office.postOk('/admin/invitations/create/', {
    uses: users,
    credit: CREDIT,
    note: 'the month',
  });
  const people: Person[] = [];
  for (let at = 0; at < users; at++) {
    const login = `person-${at}`;
    const address = `198.18.${at >> 8}.${at & 255}`;
    if (at % 3 === 0) await office.command('user', 'add', login, '--credit', String(CREDIT));
    else if (at % 3 === 1) await office.postOk('/admin/users/add/', { login, credit: CREDIT });
    else {
      const body = { login, password: PASSWORD, code: invitation['code'] };
      const from = { 'x-forwarded-for': address };
      await postOk(office.url, undefined, '/auth/register/', body, from);
    }
    const { id } = await office.postOk('/admin/users/show/', { login });
    const userId = Number(id);
    office.movements.push({
      userId,
      day: office.today(),
      kind: 'payments',
      amount: micro(CREDIT),
    });
    const person: Person = { login, userId, roomId: '', keys: [], address, isErased: false };
    for (let key = 0; key < keys; key++) person.keys.push(await makeKey(office, login, key));
    const made = await postOk(office.url, person.keys[0]?.secret, '/ai/room/', {});
    person.roomId = String(made['room_id']);
    people.push(person);
  }
  return people;
}

/** Keys without limits, with a total budget, with budgets per day and month, and with limits per minute, in turn. */
async function makeKey(office: Office, login: string, at: number): Promise<MonthKey> {
  const name = `key ${at}`;
  const create = (limits: object) =>
    office.postOk('/admin/keys/create/', { login, name, tags: ['month'], ...limits });
  if (at % 4 === 1) {
    const total = micro(BUDGET_TOTAL);
    const words = ['--name', name, '--rubles-total', rublesOf(total)];
    const made = await office.command<{ id: string; key: string }>(
      'key',
      'create',
      login,
      ...words,
    );
    return { id: made.id, secret: made.key, limits: { total } };
  }
  const limits = at % 4 === 2 ? { day: micro(BUDGET_DAY), month: micro(BUDGET_MONTH) } : {};
  const made = await create({
    ...('day' in limits && { rubles_per_day: BUDGET_DAY, rubles_per_month: BUDGET_MONTH }),
    ...(at % 4 === 3 && { requests_per_minute: 2, tokens_per_minute: 2_000 }),
  });
  return { id: String(made['id']), secret: String(made['key']), limits };
}

/** How many of 20 messages have each outcome; the rest succeed. */
const fateOf: Readonly<Record<number, Fate>> = { 0: 'over', 1: 'refused', 2: 'broken', 3: 'falls' };
let messages = 0;

/**
 * One send of a user.
 * @returns the send, the status, and the message if it was answered in a room
 */
export async function sendOne(
  office: Office,
  person: Person,
  { list, random }: { list: number; random: () => number },
) {
  const fate = fateOf[between(0, 20, random)] ?? 'good';
  const key = pick(person.keys, random);
  const ai = fate === 'falls' ? FALLING : pick([PLAIN, PLAIN, UNCOSTED], random);
  const cap = between(100, CAP_MAX, random);
  const message = `${fate} question ${messages++} of the month, with a few words more`;
  const { userId } = person;
  const sent: MonthSend = { message, day: office.today(), userId, keyId: key.id, ai, cap, list };
  const secret = key.old !== undefined && random() < 0.5 ? key.old : key.secret;
  const from = { 'x-forwarded-for': person.address };
  const die = random();
  if (die < 0.2) return { sent, status: await viaCompletions(office, secret, sent, die < 0.1) };
  const body = { room_id: person.roomId, ai, message, max_output_tokens: cap };
  const answer = await post(office.url, secret, '/ai/send/', body, from);
  const id = answer?.status === 200 ? Number(answer.data['id']) : undefined;
  const answered = id === undefined ? undefined : { person, id, message };
  return { sent, status: answer?.code ?? String(answer?.status), answered };
}

async function viaCompletions(
  { url }: Office,
  secret: string,
  { ai, message, cap }: MonthSend,
  stream: boolean,
): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      model: String(ai),
      messages: [{ role: 'user', content: message }],
      max_tokens: cap,
      stream,
    }),
  });
  await response.text();
  return String(response.status);
}
