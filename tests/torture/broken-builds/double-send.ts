/** Loaded before the product: every third send without a key is made and charged twice. */
import { Sender } from '../../../src/chat/index.ts';

let sends = 0;
const send = Reflect.get(Sender.prototype, 'send');
Sender.prototype.send = async function (userId, input, idempotency) {
  const again = send.bind(this, userId, input, idempotency);
  if (idempotency === undefined && ++sends % 3 === 0) await again();
  return again();
};
