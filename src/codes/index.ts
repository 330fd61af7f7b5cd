import type { Database } from '../db/index.ts';
import { Ledger, Limits } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { AttemptThrottle, type SecurityLog, type Users } from '../users/index.ts';
import { Invitations } from './invitations.ts';
import { Redemption } from './redeem.ts';
import { Registration, type RegistrationMode } from './registration.ts';
import { VoucherBatches } from './voucher-batches.ts';

export { NOTE_CHARACTERS_MAX } from './fields.ts';
export { USES_MAX, type Invitation, type Invited } from './invitations.ts';
export { registrationModes } from './registration.ts';
export { invitationView, invitedView, voucherBatchView, voucherView } from './views.ts';
export {
  VOUCHERS_MAX,
  voucherStates,
  type PrintedVoucher,
  type Voucher,
  type VoucherBatch,
} from './voucher-batches.ts';
export type { Invitations, Redemption, Registration, VoucherBatches };

interface CodesParts {
  db: Database;
  clock: Clock;
  /** The server's secret, for the throttle. */
  secret: Uint8Array;
  security: SecurityLog;
  users: Users;
}

/** Opens the modules for codes that people type. @param mode who may register @param url of the server, for links */
export function openCodes(parts: CodesParts, mode: RegistrationMode, url: () => string) {
  const { db, clock } = parts;
  const ledger = new Ledger(db, clock);
  const limits = new Limits(db, clock);
  const attempts = new AttemptThrottle(parts);
  const invitations = new Invitations(db, clock);
  return {
    invitations,
    /** The page on which people register. The code is not part of the request, so no log contains it. */
    invitationLink: (code: string) => `${url()}/app/register#${code}`,
    redemption: new Redemption({ ...parts, ledger, attempts }),
    registration: new Registration({ ...parts, mode, ledger, limits, invitations, attempts }),
    voucherBatches: new VoucherBatches(db, clock),
  };
}
