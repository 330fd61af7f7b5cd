/** Loaded before the product: the client gets its answer long before it is stored and charged. */
import { SendCommit } from '../../../src/chat/index.ts';

/** Longer than the process lives, so that every answer is lost. */
const COMMIT_LATER_MS = 60_000;

const settle = Reflect.get(SendCommit.prototype, 'settle');
SendCommit.prototype.settle = function (command) {
  setTimeout(() => void settle.call(this, command), COMMIT_LATER_MS);
  return Promise.resolve({ kind: 'settled', balance: 0, erased: false });
};
