/** 1,000 concurrent checks over HTTP, on three nodes: exactly the allowance passes. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import type { TestUser } from '../support/gateway.ts';
import { openTrustWorld, type TrustWorld } from '../trust/check/world.ts';

/** On three nodes: a little over 1,000. */
const CHECKS_A_NODE = 334;
const ALLOWANCE = 100;
const down = ['a.ru', 'b.ru', 'c.ru'];

/** The remaining checks by the answer; undefined if it was refused because the allowance is used up. */
async function checked(world: TrustWorld, user: TestUser, number: number) {
  const url = down[number % down.length] ?? '';
  if (number % 2 === 0) {
    const response = await world.check(user, url);
    const fields = (await response.text()).split('|');
    if (response.status === 200) return Number(fields[3]);
    expect([response.status, fields[1]]).toEqual([429, 'limit']);
  } else {
    const { token } = user;
    const { status, body } = await world.gateway.post('/trust/check/', { url }, { token });
    if (status === 200) return (body.data as { remaining: number }).remaining;
    expect([status, body.error?.code]).toEqual([429, 'allowance_used_up']);
  }
  return undefined;
}

for (const dialect of dialects) {
  test(`${dialect}: 1,000 concurrent checks with an allowance of 100: exactly 100 pass`, async () => {
    const env = { ZASTAVA_TRUST_DAILY_ALLOWANCE: String(ALLOWANCE) };
    await using first = await openTrustWorld(dialect, { env, down });
    const { database } = first.gateway;
    await using second = await openTrustWorld(dialect, { env, down, database });
    await using third = await openTrustWorld(dialect, { env, down, database });
    const nodes = [first, second, third];
    const user = await first.gateway.addUser();
    const other = await first.gateway.addUser();
    const answers = await Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: CHECKS_A_NODE }, (_, number) => checked(node, user, number)),
      ),
    );
    const remaining = answers.filter((answer) => answer !== undefined);
    expect(remaining.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: ALLOWANCE }, (_, number) => number),
    );
    // Nobody else's allowance was used.
    expect((await third.fields(other, 'a.ru'))[3]).toBe(String(ALLOWANCE - 1));
  });
}
