/** The shop's webhook in docs/business.md, run unchanged, with repeated, reordered and forged notifications. */
import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { openGateway } from '../support/gateway.ts';
import { expectBooksHold } from '../support/world.ts';

const SECRET = 'the secret of a shop';
const script = `${import.meta.dir}/../../docs/examples/payment-webhook.mjs`;

function startWebhook(url: string, key: string) {
  const env = { ZASTAVA_URL: url, ZASTAVA_KEY: key, WEBHOOK_SECRET: SECRET, PORT: '0' };
  return Bun.spawn([process.execPath, script], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  });
}

/** The port that the script prints. */
async function portOf(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of output) {
    text += new TextDecoder().decode(piece);
    const port = /listening on (\d+)/.exec(text)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error(`the webhook printed ${text}`);
}

test('a shop’s payment counts once, however often and in whatever order it is reported; a forged one does not', async () => {
  await using gateway = await openGateway('sqlite');
  const operator = await gateway.addUser({ isOperator: true });
  const user = await gateway.addUser({ login: 'alice' });
  const made = { name: 'shop', scope: 'credit' };
  const { key } = await gateway.data<{ key: string }>('/account/keys/', made, operator);
  const webhook = startWebhook(gateway.listen(), key);
  try {
    const url = `http://127.0.0.1:${await portOf(webhook.stdout)}/`;
    const paidAt = new Date().toISOString();
    const notify = async (payment: object, secret = SECRET) => {
      const whole = { event: 'paid', paid_at: paidAt, login: 'alice', ...payment };
      const body = JSON.stringify(whole);
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'x-signature': signature };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    const [first, second] = [
      { id: 'p1', amount: '10.50' },
      { id: 'p2', amount: '20' },
    ];
    const reports = Array.from({ length: 20 }, (_, at) => notify(at % 3 === 0 ? second : first));
    expect(new Set(await Promise.all(reports))).toEqual(new Set([200]));
    expect(await notify(first)).toBe(200);
    const refused = [
      notify({ id: 'p3', amount: '1000' }, 'a guessed secret'),
      notify({ id: 'p1', amount: '1000' }),
      notify({ id: 'p4', amount: '5', login: 'nobody' }),
      notify({ id: 'p5', amount: '-5' }),
      notify({ id: 'p6', amount: '5', paid_at: '2020-01-01T00:00:00Z' }),
    ];
    expect(await Promise.all(refused)).toEqual([401, 409, 409, 400, 409]);
    expect(await notify({ id: 'p7', amount: '5', event: 'cancelled' })).toBe(200);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const transactions = await gateway.core.ledger.transactions(user.userId, 10);
    const booked = new Map(transactions.map(({ amount, reason }) => [reason, amount]));
    expect(transactions).toHaveLength(2);
    expect([booked.get('payment p1'), booked.get('payment p2')]).toEqual([10_500_000, 20_000_000]);
    await expectBooksHold(gateway);
  } finally {
    webhook.kill();
    await webhook.exited;
  }
});
