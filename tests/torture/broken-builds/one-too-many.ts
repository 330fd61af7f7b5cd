/** Loaded before the product: every third answer is charged a micro-ruble more than it costs. */
import { SendCommit } from '../../../src/chat/index.ts';

let answers = 0;
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { settle } = SendCommit.prototype;
SendCommit.prototype.settle = function (command) {
  const { request, response } = command.cost;
  const isThird = command.state === 'done' && ++answers % 3 === 0;
  const cost = { request, response: response + (isThird ? 1 : 0) };
  return settle.call(this, { ...command, cost });
};
