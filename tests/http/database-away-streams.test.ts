/** A stream that fails while the database can't be written does not look whole to its client. */
import { expect, test } from 'bun:test';
import { openWorld } from '../support/world.ts';

test.each([
  ['/ai/send/', { ai: 101, message: 'Hi' }, 'event: error'],
  [
    '/v1/chat/completions',
    { model: '101', messages: [{ role: 'user', content: 'Hi' }] },
    '"error"',
  ],
])('%s: reports a failure that can not be settled', async (path, body, expected) => {
  await using world = await openWorld('sqlite');
  const { gateway, provider, user } = world;
  const alice = await user();
  await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
  const held = provider.held(1);
  const response = await gateway.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
    body: JSON.stringify({ room_id: alice.room, stream: true, ...body }),
  });
  await held;
  const { db } = gateway.core;
  const transaction = db.transaction.bind(db);
  db.transaction = () => Promise.reject(new Error('the disk is gone'));
  provider.cut();
  const text = await response.text();
  db.transaction = transaction;
  expect(text).toContain('Half');
  expect(text).toContain(expected);
  expect(text).not.toContain('[DONE]');
});
