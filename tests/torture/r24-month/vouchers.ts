/** The vouchers of the month. */
import { micro, type Office } from './office.ts';

/** A batch that is revoked, and one that expires, are among these. */
export const BATCHES = 5;

interface Voucher {
  code: string;
  amount: bigint;
}

export interface Batch {
  batch: number;
  open: Voucher[];
}

/** Three batches by command, two over HTTP. */
export async function makeVouchers(
  office: Office,
  { vouchers, days }: { vouchers: number; days: number },
): Promise<Batch[]> {
  const made: Batch[] = [];
  for (let at = 0; at < BATCHES; at++) {
    const [each, amount] = [Math.floor(vouchers / BATCHES), (at + 1) * 0.070001];
    const expires = Date.UTC(2026, 10, 1 + Math.floor(days / 2)) / 1000;
    type Made = { batch: { id: number }; vouchers: { code: string }[] };
    const words = ['voucher', 'create', '--count', String(each), '--rub', amount.toFixed(6)];
    const body = { count: each, amount: amount.toFixed(6) };
    const isLast = at === BATCHES - 1;
    const batch =
      at < 3
        ? await office.command<Made>(...words)
        : ((await office.postOk('/admin/vouchers/create/', {
            ...body,
            ...(isLast && { expires_at: expires }),
          })) as unknown as Made);
    const open = batch.vouchers.map(({ code }) => ({ code, amount: micro(amount.toFixed(6)) }));
    made.push({ batch: batch.batch.id, open });
  }
  return made;
}
