/** Attempts with unknown logins from many addresses do not keep users from logging in at their usual addresses. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway } from '../support/gateway.ts';

const ADDRESSES = 30;
const CONNECTIONS = 4;
const USERS = 6;
/** A quarter of the product's: logins still wait for each other, but a full queue is short work. */
const HASH_COST = { memoryKib: 4_864, passes: 2 };

async function statusOf(gateway: Gateway, login: string, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address };
  const { status } = await gateway.post('/auth/login/', { login, password: PASSWORD }, { headers });
  return status;
}

test.each(dialects)(
  '%s: unknown logins from many addresses lock no known user out',
  async (dialect) => {
    // The harness connects from 127.0.0.1.
    const env = { ZASTAVA_TRUSTED_PROXIES: '127.0.0.1' };
    await using gateway = await openGateway(dialect, { env, hashCost: HASH_COST });
    const users = await Promise.all(
      Array.from({ length: USERS }, async (_, index) => {
        const { login } = await gateway.addUser();
        // The last user shares an address with an attacker.
        const address = `203.0.113.${index === USERS - 1 ? 1 : 100 + index}`;
        expect(await statusOf(gateway, login, address)).toBe(200);
        return { login, address };
      }),
    );
    const floods: Record<number, number> = {};
    const over = new AbortController();
    const attack = async (address: string, connection: number) => {
      for (let round = 0; !over.signal.aborted; round++) {
        const status = await statusOf(gateway, `nobody-${connection}-${round}`, address);
        floods[status] = (floods[status] ?? 0) + 1;
        // A refusal is immediate in this process.
        await Bun.sleep(1);
      }
    };
    const attackers = Array.from({ length: ADDRESSES * CONNECTIONS }, (_, index) =>
      attack(`203.0.113.${(index % ADDRESSES) + 1}`, index),
    );
    // Otherwise the flood would prove nothing.
    while (floods[503] === undefined) await Bun.sleep(1);
    const statuses = await Promise.all(
      users.map(({ login, address }) => statusOf(gateway, login, address)),
    );
    over.abort();
    await Promise.all(attackers);
    expect(statuses).toEqual(users.map(() => 200));
  },
);
