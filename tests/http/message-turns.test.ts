/** Messages of WebSocket connections that wait: their room, and their turns. */
import { expect, test } from 'bun:test';
import { BodyBudget } from '../../src/http/body/budget.ts';
import { MessageTurns } from '../../src/http/openai/responses/socket/message-turns.ts';
import { ResponsesSocket } from '../../src/http/openai/responses/socket/socket.ts';

const MIB = 1024 * 1024;
const TRY_AGAIN_LATER = 1013;
/** No message gets its turn. */
const waiting = {
  post: () => new Promise<Response>(() => undefined),
  authenticate: () => Promise.resolve(),
  turn: () => new Promise<never>(() => undefined),
  now: () => 0,
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
  const message = 'x'.repeat(1.5 * MIB);
  // A user's quarter of the budget is 4 MiB.
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
