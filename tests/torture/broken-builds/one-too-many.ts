/** Loaded before the product: every third answer is charged a micro-ruble more than it costs. */
import { SendCommit } from '../../../src/chat/index.ts';

let answers = 0;
const settle = Reflect.get(SendCommit.prototype, 'settle');
SendCommit.prototype.settle = function (command) {
  const { request, response } = command.cost;
  const isThird = command.state === 'done' && ++answers % 3 === 0;
  const cost = { request, response: response + (isThird ? 1 : 0) };
  return settle.call(this, { ...command, cost });
};
