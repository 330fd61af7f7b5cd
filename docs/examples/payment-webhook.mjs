/**
 * A shop's webhook that tops up users of Zastava, for plain Node (20 or later): node payment-webhook.mjs
 *
 *   ZASTAVA_URL      where Zastava is, such as https://ai.example.com
 *   ZASTAVA_KEY      an API key of the scope `credit`: zastava key create admin --name shop --scope credit
 *   WEBHOOK_SECRET   the secret with which the shop signs its notifications
 *   PORT             where to listen; 8081 by default
 *
 * A notification is JSON, {"id", "event", "paid_at", "login", "amount"}, signed in the header `x-signature` by
 * HMAC-SHA-256 in hex. Shops send it again until they get a 200, in any order, and strangers send forged ones. Adapt
 * `readPayment` to your shop; the rest can stay.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { ZASTAVA_URL, ZASTAVA_KEY, WEBHOOK_SECRET, PORT = '8081' } = process.env;
if (!ZASTAVA_URL || !ZASTAVA_KEY || !WEBHOOK_SECRET) {
  console.error('set ZASTAVA_URL, ZASTAVA_KEY and WEBHOOK_SECRET');
  process.exit(2);
}

const BODY_MAX_BYTES = 65_536;
const TIMEOUT_MS = 10_000;
/** Zastava knows an idempotency key for 24 hours. A payment that is older could count twice, so a person credits it. */
const PAYMENT_AGE_MAX_MS = 20 * 3_600_000;

const server = createServer((request, response) => {
  void answer(request)
    .catch((error) => {
      console.error(error);
      // The shop sends it again.
      return 503;
    })
    .then((status) => response.writeHead(status).end());
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`);
});

/** @returns the status for the shop: 200 if the payment is in the books, or needs none */
async function answer(request) {
  const body = await read(request);
  if (!isSigned(body, request.headers['x-signature'])) return 401;
  const payment = readPayment(body);
  if (payment === undefined) return 400;
  if (payment.event !== 'paid') return 200;
  if (!(Date.now() - Date.parse(payment.paid_at) < PAYMENT_AGE_MAX_MS)) {
    console.error(
      `payment ${payment.id} is too old: see zastava user transactions ${payment.login}`,
    );
    return 409;
  }
  return credit(payment);
}

async function read(request) {
  const pieces = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > BODY_MAX_BYTES) throw new Error('the notification is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function isSigned(body, signature) {
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(body).digest();
  const given = Buffer.from(String(signature ?? ''), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readPayment(body) {
  try {
    const { id, event, paid_at, login, amount } = JSON.parse(body.toString('utf8'));
    const isWhole = [id, event, paid_at, login, amount].every((field) => typeof field === 'string');
    // A decimal text: no float may round an amount.
    return isWhole && /^\d{1,9}(\.\d{1,2})?$/.test(amount)
      ? { id, event, paid_at, login, amount }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The payment's id is the idempotency key: however often this is called, Zastava makes one entry. */
async function credit({ id, login, amount }) {
  const answered = await fetch(`${ZASTAVA_URL}/admin/users/credit/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ZASTAVA_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': id,
    },
    body: JSON.stringify({ login, amount, reason: `payment ${id}` }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answered.ok) return 200;
  const { error } = await answered.json();
  console.error(`payment ${id}: ${answered.status} ${error.code}: ${error.message}`);
  // Busy, or not there: the shop sends it again. Anything else needs a person.
  return answered.status >= 500 || answered.status === 429 ? 503 : 409;
}
