/** A stopping server does not wait longer for an image store than for requests. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { s3Env } from '../support/image-stores.ts';
import { startS3Double } from '../support/s3-double.ts';
import { expectBooksHold, IMAGE_MODEL, openWorld } from '../support/world.ts';

for (const dialect of dialects) {
  test(`${dialect}: an image whose store does not answer is abandoned, and costs nothing`, async () => {
    await using double = startS3Double();
    await using world = await openWorld(dialect, { env: s3Env(double) });
    const { gateway, user } = world;
    const alice = await user();
    const swallowed = double.swallowPut();
    const sending = alice.trySend({ ai: IMAGE_MODEL });
    await swallowed;
    expect(await gateway.app.stop(0)).toBe(true);
    const { status, body, headers } = await sending;
    expect([status, body.error?.code]).toEqual([503, 'overloaded']);
    expect(body.error?.message).toContain('the server is stopping; nothing was charged');
    expect(headers.get('x-should-retry')).toBe('false');
    expect(await alice.charges()).toEqual([]);
    expect((await gateway.core.ledger.account(alice.userId)).held).toBe(0);
    await expectBooksHold(gateway);
  });
}
