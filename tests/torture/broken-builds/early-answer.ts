/** Loaded before the product: the client gets its answer a moment before it is stored and charged. */
import { SendCommit } from '../../../src/chat/index.ts';

const COMMIT_LATER_MS = 100;

const settle = Reflect.get(SendCommit.prototype, 'settle');
SendCommit.prototype.settle = function (command) {
  setTimeout(() => void settle.call(this, command), COMMIT_LATER_MS);
  return Promise.resolve({ kind: 'settled', balance: 0, erased: false });
};
