/** For every fault of a provider: the right code, the hold released, and no entry in the books. */
import { describe, expect, test } from 'bun:test';
import { statusOf } from '../../src/http/errors.ts';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { codeOfFault } from '../support/fault-codes.ts';
import { faults, type CallFault } from '../support/scripted-provider.ts';
import { expectBooksHold, sharedWorld, type ModelLine } from '../support/world.ts';

const kinds = ['text', 'stream', 'image'] as const;

/** A model for each fault, named after it, each at a separate provider, so that they do not share a circuit breaker. */
const models: ModelLine[] = faults.flatMap((fault, index) => {
  const [model, provider] = [fault, `p-${fault}`];
  return [
    { id: 200 + index, model, provider },
    { id: 300 + index, model: `image ${fault}`, type: 'IMAGE', provider },
  ];
});

for (const dialect of dialects) {
  describe(`${dialect}: a provider's fault`, () => {
    const world = sharedWorld(dialect, {
      models,
      providers: ({ baseUrl }) =>
        Object.fromEntries(
          faults.map((fault) => [
            `p-${fault}`,
            {
              kind: 'openai',
              base_url: fault === 'refused' ? 'http://127.0.0.1:1/v1' : baseUrl,
              // Short if the deadline is what ends the call.
              timeout_seconds: codeOfFault(fault, 'text') === 'provider_timeout' ? 1 : 60,
            },
          ]),
        ),
    });

    for (const [index, fault] of faults.entries()) {
      for (const kind of kinds) {
        const code = codeOfFault(fault, kind);
        test.concurrent(`${kind}: ${fault} → ${code ?? 'success'}`, async () => {
          const { gateway, provider, user } = world();
          await provider.script(
            ({ body }) => String(body['model']).replace('image ', '') as CallFault,
          );
          const alice = await user();
          const before = await gateway.core.ledger.transactions(alice.userId, 10);
          const ai = (kind === 'image' ? 300 : 200) + index;
          if (kind === 'stream') {
            const events = await allEvents(await alice.stream({ ai }));
            expect(events.at(-1)).toMatchObject(
              code ? { event: 'error', data: { code } } : { event: 'done' },
            );
          } else {
            const { status, body, headers } = await alice.trySend({ ai });
            expect([status, body.error?.code]).toEqual([code ? statusOf[code] : 200, code]);
            const repeatable = code === undefined || fault === 'refused';
            expect(headers.get('x-should-retry')).toBe(repeatable ? null : 'false');
            const isBusy = code === 'provider_unavailable';
            expect(headers.get('retry-after') !== null).toBe(isBusy);
          }
          expect((await alice.funds()).held).toBe(0);
          const after = await gateway.core.ledger.transactions(alice.userId, 10);
          const [item] = await alice.history({ include_failed: true });
          if (code === undefined) {
            expect(after).toHaveLength(before.length + 1);
            expect(item).toMatchObject({ state: 'done' });
          } else {
            expect(after).toEqual(before);
            expect(item).toMatchObject({ state: 'failed', error_code: code, response: '' });
            expect(item).toMatchObject({ cost_request: 0, cost_response: 0 });
          }
        });
      }
    }

    test('after all of them the books balance, and no hold is open', async () => {
      const { gateway } = world();
      await expectBooksHold(gateway);
      const held = await gateway.core.db.query('SELECT user_id FROM accounts WHERE held <> 0');
      expect(held).toEqual([]);
    });
  });
}
