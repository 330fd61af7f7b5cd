/** Waiting messages of WebSocket connections: their share of the budget, their turns, and which thread reads them. */
import { describe, expect, test } from 'bun:test';
import type { DomainError } from '../../src/lib/errors.ts';
import { BodyBudget } from '../../src/http/body/budget.ts';
import { BodyReader } from '../../src/http/body/read.ts';
import { BodyThread } from '../../src/http/body/thread.ts';
import { MessageTurns } from '../../src/http/openai/responses/socket/message-turns.ts';
import { ResponsesSocket } from '../../src/http/openai/responses/socket/socket.ts';

const MIB = 1024 * 1024;
const TRY_AGAIN_LATER = 1013;
/** No message gets its turn. */
const waiting = {
  post: () => new Promise<Response>(() => undefined),
  authenticate: () => Promise.resolve(),
  turn: () => new Promise<never>(() => undefined),
  read: () => new Promise<never>(() => undefined),
  onClosed: () => undefined,
};

test('waiting messages count in the budget of bodies, and end a connection that sends too many', () => {
  const budget = new BodyBudget(16 * MIB);
  const closes: number[] = [];
  const open = () => {
    const socket = new ResponsesSocket({
      ...waiting,
      reserve: () => budget.reserve(1, '192.0.2.1'),
    });
    const close = (code = 0) => void closes.push(code);
    socket.opened({ send: () => 1, close });
    return socket;
  };
  const sockets = [open(), open()];
  // Counts three times. A user's quarter of the budget is 4 MiB.
  const message = 'ж'.repeat(0.25 * MIB);
  for (const socket of [...sockets, ...sockets]) socket.receive(message);
  expect([closes, budget.bytes]).toEqual([[TRY_AGAIN_LATER, TRY_AGAIN_LATER], 3 * MIB]);
  for (const socket of sockets) socket.closed();
  expect(budget.bytes).toBe(0);
});

test('a connection on which too many large messages wait is closed', () => {
  const closes: number[] = [];
  const socket = new ResponsesSocket({
    ...waiting,
    reserve: () => new BodyBudget(16 * MIB).reserve(1, '192.0.2.1'),
  });
  socket.opened({ send: () => 1, close: (code = 0) => void closes.push(code) });
  for (let sent = 0; sent < 6; sent++) socket.receive('x'.repeat(20_000));
  expect(closes).toEqual([TRY_AGAIN_LATER]);
});

test('a long message of a user waits until others had the thread; a short one does not', async () => {
  const turns = new MessageTurns();
  const order: string[] = [];
  const long = (name: string) => turns.run(MIB, () => void order.push(name));
  const all = [long('first'), long('second'), turns.run(10, () => void order.push('short'))];
  expect(order).toEqual(['short']);
  await all[0];
  // The next turn of the event loop is for others.
  expect(order).toEqual(['short', 'first']);
  await Promise.all(all);
  expect(order).toEqual(['short', 'first', 'second']);
});

describe('a message', () => {
  const bodies = new BodyReader({
    budget: new BodyBudget(16 * MIB),
    quick: new BodyThread(Infinity),
    thread: new BodyThread(Infinity),
  });
  const read = (body: object) => {
    const message = JSON.stringify({ type: 'response.create', model: 'm', ...body });
    return bodies.readEvent(message, 1, 0);
  };
  const texts = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'message', role: 'user', content: 'Hi' }));

  test.each([
    ['long', { input: 'x'.repeat(65 * 1024) }],
    ['of many values', { input: texts(1_000) }],
    ['of many values, without an answer', { input: texts(1_000), generate: false }],
  ])('%s is read on another thread', async (_what, body) => {
    const order: string[] = [];
    // All reading on this thread happens before its event loop turns.
    setImmediate(() => order.push('others'));
    const { input, fields } = await read(body).finally(() => order.push('read'));
    expect(order).toEqual(['others', 'read']);
    expect(JSON.parse(input ?? '')).toEqual(body.input);
    expect(JSON.parse(fields)).toEqual({ model: 'm', stream: true });
  });

  test('with many wrong values is refused by its first problems', async () => {
    const wrong = Array.from({ length: 90_000 }, () => ({}));
    const error = await read({ input: wrong, generate: false }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect((error as DomainError).details).toHaveLength(50);
  });
});
