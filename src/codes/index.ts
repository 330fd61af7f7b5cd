import type { Database } from '../db/index.ts';
import { Ledger } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { AttemptThrottle, type SecurityLog } from '../users/index.ts';
import { Redemption } from './redeem.ts';
import { VoucherBatches } from './voucher-batches.ts';

export { NOTE_CHARACTERS_MAX } from './fields.ts';
export { voucherBatchView, voucherView } from './views.ts';
export {
  VOUCHERS_MAX,
  voucherStates,
  type PrintedVoucher,
  type Voucher,
  type VoucherBatch,
} from './voucher-batches.ts';
export type { Redemption, VoucherBatches };

/** What works with codes that people type. @param parts `secret`: the server's, for the throttle */
export function openCodes(parts: {
  db: Database;
  clock: Clock;
  secret: Uint8Array;
  security: SecurityLog;
}) {
  const { db, clock } = parts;
  const ledger = new Ledger(db, clock);
  const attempts = new AttemptThrottle(parts);
  return {
    redemption: new Redemption({ ...parts, ledger, attempts }),
    voucherBatches: new VoucherBatches(db, clock),
  };
}
