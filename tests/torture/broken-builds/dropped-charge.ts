/** Loaded before the product: every third answer is stored without a charge, though its client sees a cost. */
import { SendCommit } from '../../../src/chat/index.ts';

let answers = 0;
const settle = Reflect.get(SendCommit.prototype, 'settle');
SendCommit.prototype.settle = function (command) {
  const isThird = command.state === 'done' && ++answers % 3 === 0;
  return settle.call(this, isThird ? { ...command, cost: { request: 0, response: 0 } } : command);
};
