/** A user who runs the commands and compares the results with the model. */
import type { Gateway, TestUser } from '../../support/gateway.ts';
import { TEXT } from '../support/catalogue.ts';
import type { Plan } from '../support/journal-provider.ts';
import { applySend, type Command, type Model, type Send } from './commands.ts';

export interface Table {
  /** The node for the next request: a random one. */
  next: () => Gateway;
  /** A token of an admin. */
  admin: string;
  /** The provider's answers to messages. */
  plans: Map<string, Plan>;
}

/** The first budget of a user's API key, in micro-rubles. */
const BUDGET = 20_000_000;
let messages = 0;

interface Key {
  id: string;
  key: string;
}

/** @throws if the books differ from the model */
export async function play(table: Table, commands: readonly Command[]): Promise<TestUser> {
  const user = await table.next().addUser({ credit: 5 });
  const limits = { name: 'a budget', rubles_total: BUDGET / 1e6 };
  const key = await table.next().data<Key>('/account/keys/', limits, user);
  const model: Model = { balance: 5_000_000, limit: 0, charges: 0, budget: BUDGET, spent: 0 };
  const player = new Player(table, user, key, model);
  for (const one of commands) await player.do(one);
  await player.compare();
  return user;
}

class Player {
  readonly #table: Table;
  readonly #user: TestUser;
  readonly #model: Model;
  readonly #key: Key;
  #room: string | undefined;
  /** The last answered send with a key: its body, and its answer. */
  #kept: { body: object; key: string; answer: unknown } | undefined;

  constructor(table: Table, user: TestUser, key: Key, model: Model) {
    this.#table = table;
    this.#user = user;
    this.#key = key;
    this.#model = model;
  }

  async do(one: Command): Promise<void> {
    const { login } = this.#user;
    switch (one.do) {
      case 'send':
        return this.#send(one);
      case 'repeat':
        return this.#repeat();
      case 'credit':
        return this.#credit(one.amount);
      case 'take':
        return this.#credit(-one.amount);
      case 'limit':
        this.#model.limit = one.amount;
        await this.#asAdmin('/admin/users/limit/', { login, limit: one.amount / 1e6 }, 200);
        return;
      case 'budget': {
        // An absent value means no budget.
        this.#model.budget = one.amount + 1;
        const body = { id: this.#key.id, rubles_total: this.#model.budget / 1e6 };
        return this.#asAdmin('/admin/keys/limit/', body, 200);
      }
      case 'new room':
        this.#room = undefined;
    }
  }

  async compare(): Promise<void> {
    const { balance, limit, charges } = this.#model;
    const { ledger, budgets } = this.#table.next().core;
    const account = await ledger.account(this.#user.userId);
    expectSame('balance', account.balance, balance);
    expectSame('held', account.held, 0);
    expectSame('credit limit', account.creditLimit, limit);
    const used = (await budgets.get(this.#key.id))?.used;
    expectSame('charged by the key', used?.total, this.#model.spent);
    expectSame('held by the key', used?.held, 0);
    const all = await ledger.transactions(this.#user.userId, 1_000_000);
    expectSame('charges', all.filter(({ kind }) => kind === 'charge').length, charges);
  }

  async #send(one: Send): Promise<void> {
    const { next, plans } = this.#table;
    const token = this.#key.key;
    const number = messages++;
    // It has more bytes than letters.
    const message = `сообщение ${number}`;
    plans.set(message, one.fails ? { status: 400 } : { reported: one.reported });
    this.#room ??= await next().room(token);
    const { cap, stream, keyed } = one;
    const body = { room_id: this.#room, ai: TEXT, message, max_output_tokens: cap };
    const headers: Record<string, string> = keyed ? { 'idempotency-key': `key ${number}` } : {};
    const charge = applySend(this.#model, one, message);
    if (stream) return this.#stream({ ...body, stream }, headers, charge, one.fails);
    const answer = await next().post('/ai/send/', body, { token, headers });
    const status = charge === undefined ? 402 : one.fails ? 502 : 200;
    expectSame('status', answer.status, status);
    if (answer.status !== 200) return;
    const { data } = answer.body as { data: { balance: number } };
    expectSame('reported balance', Math.round(data.balance * 1e6), this.#model.balance);
    if (keyed) this.#kept = { body, key: `key ${number}`, answer: data };
  }

  async #stream(
    body: object,
    headers: Record<string, string>,
    charge: number | undefined,
    fails: boolean,
  ): Promise<void> {
    const response = await this.#table.next().fetch('/ai/send/', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.#key.key}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expectSame('status', response.status, charge === undefined ? 402 : 200);
    if (charge === undefined) return;
    expectSame('end', /event: (done|error)\n.*\n\n$/.exec(text)?.[1], fails ? 'error' : 'done');
  }

  async #repeat(): Promise<void> {
    if (!this.#kept) return;
    const { body, key, answer } = this.#kept;
    const { key: token } = this.#key;
    const headers = { 'idempotency-key': key };
    const again = await this.#table.next().post('/ai/send/', body, { token, headers });
    expectSame('repeated answer', JSON.stringify(again.body.data), JSON.stringify(answer));
  }

  async #credit(micro: number): Promise<void> {
    const { login } = this.#user;
    const available = Math.max(0, this.#model.balance + this.#model.limit);
    const isPossible = micro !== 0 && -micro <= available;
    const body = { login, amount: micro / 1e6, reason: 'random' };
    await this.#asAdmin('/admin/users/credit/', body, isPossible ? 200 : 422);
    if (isPossible) this.#model.balance += micro;
  }

  async #asAdmin(path: string, body: object, status: number): Promise<void> {
    const { next, admin } = this.#table;
    const answer = await next().post(path, body, { token: admin });
    expectSame(path, answer.status, status);
  }
}

function expectSame(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${what}: ${String(got)} instead of ${String(wanted)}`);
}
