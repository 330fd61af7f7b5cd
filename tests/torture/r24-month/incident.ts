/** An incident: messages of a model are refunded a share of their charges, all at once. */
import { unless } from '../support/campaign.ts';
import { micro, type Office } from './office.ts';
import type { Person } from './people.ts';
import { PLAIN } from './price-list.ts';
import type { Counted } from './recount.ts';

/** Hundredths of a percent. */
const SHARE = 3_333n;
const WHOLE = 10_000n;

interface Month {
  office: Office;
  people: readonly Person[];
  /** The refunds of messages, by their texts. */
  refunded: Map<string, bigint>;
}

interface RefundReport {
  messages: number;
  amount: number;
}

/** Previewed by command, refunded over HTTP, and again through both, which refunds nothing. */
export async function incident(
  { office, people, refunded }: Month,
  counted: readonly Counted[],
): Promise<string[]> {
  const present = new Set(people.flatMap((one) => (one.isErased ? [] : [one.userId])));
  const due = counted.flatMap(({ send: { message, userId }, model, charge }) => {
    const share = (charge * SHARE + WHOLE - 1n) / WHOLE;
    const left = share - (refunded.get(message) ?? 0n);
    return model === PLAIN && present.has(userId) && left > 0n ? [{ message, userId, left }] : [];
  });
  const from = Date.UTC(2026, 9, 1);
  const to = Date.UTC(2026, 11, 31);
  const asText = (at: number) => new Date(at).toISOString();
  const time = ['--from', asText(from), '--to', asText(to)];
  const [percent, reason] = [Number(SHARE) / 100, 'the price was wrong'];
  const words = ['refund', '--model', String(PLAIN), ...time, '--percent', String(percent)];
  const body = { model_id: PLAIN, from: from / 1000, to: to / 1000, percent, reason };
  const plan = await office.command<RefundReport>(...words, '--reason', reason, '--dry-run');
  const given = (await office.postOk('/admin/refunds/', body)) as unknown as RefundReport;
  const again = [
    await office.command<RefundReport>(...words, '--reason', reason),
    (await office.postOk('/admin/refunds/', body)) as unknown as RefundReport,
  ];
  for (const { message, userId, left } of due) {
    refunded.set(message, (refunded.get(message) ?? 0n) + left);
    office.movements.push({ userId, day: office.today(), kind: 'refunds', amount: left });
  }
  const sum = due.reduce((all, { left }) => all + left, 0n);
  const isDue = (one: RefundReport) => one.messages === due.length && micro(one.amount) === sum;
  return [
    ...unless(due.length > 0, 'nobody was charged for the model of the incident'),
    ...unless(
      isDue(plan) && isDue(given),
      `not ${due.length} messages and ${sum}: ${JSON.stringify([plan, given])}`,
    ),
    ...unless(
      again.every(({ messages }) => messages === 0),
      'a second refund of an incident gave something',
    ),
  ];
}
