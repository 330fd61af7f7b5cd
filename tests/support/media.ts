/** What requests with audio and images have in common: failures cost nothing, and refusals name the field. */
import { expect } from 'bun:test';
import type { Fault, Reply } from './scripted-provider.ts';
import { expectBooksHold, type Chatter, type World } from './world.ts';

/** Each of these replies of the provider is a 502, and nothing is charged or held. */
export async function expectFree(
  { provider, user, gateway }: World,
  replies: readonly (Reply | Fault)[],
  send: (token: string) => Promise<Response>,
): Promise<void> {
  const alice = await user();
  for (const reply of replies) {
    await provider.script(reply);
    expect((await send(alice.token)).status).toBe(502);
  }
  await provider.script('good');
  expect(await alice.charges()).toEqual([]);
  expect(await alice.funds()).toMatchObject({ held: 0 });
  await expectBooksHold(gateway);
}

/** The request was refused by the name of this field, and nothing is charged or held. */
export async function expectRefused(
  alice: Chatter,
  response: Response,
  field: string,
): Promise<void> {
  const { error } = (await response.json()) as { error: { param: string } };
  expect([response.status, error.param]).toEqual([400, field]);
  expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 });
}
