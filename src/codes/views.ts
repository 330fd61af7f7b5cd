/** Vouchers and invitations as JSON, for HTTP and the command line. Times are Unix seconds, amounts rubles. */
import { toUnixSeconds, toUnixSecondsOrNull } from '../lib/clock.ts';
import { toRubles } from '../lib/money.ts';
import type { Invitation, Invited } from './invitations.ts';
import type { Voucher, VoucherBatch } from './voucher-batches.ts';

export function voucherBatchView(batch: VoucherBatch) {
  return {
    id: batch.id,
    amount: toRubles(batch.amount),
    note: batch.note,
    made_by: batch.madeBy,
    created_at: toUnixSeconds(batch.createdAt),
    expires_at: toUnixSecondsOrNull(batch.expiresAt),
    count: batch.count,
    redeemed: batch.redeemed,
    revoked: batch.revoked,
    outstanding: batch.outstanding,
    outstanding_amount: toRubles(batch.outstanding * batch.amount),
  };
}

export function voucherView({ number, state, login, redeemedAt }: Voucher) {
  return { number, state, login, redeemed_at: toUnixSecondsOrNull(redeemedAt) };
}

/** @param limits the invitation's limits, as JSON */
export function invitationView<T>(invitation: Invitation, limits: T) {
  return {
    id: invitation.id,
    note: invitation.note,
    made_by: invitation.madeBy,
    created_at: toUnixSeconds(invitation.createdAt),
    expires_at: toUnixSecondsOrNull(invitation.expiresAt),
    revoked_at: toUnixSecondsOrNull(invitation.revokedAt),
    credit: toRubles(invitation.credit),
    limits,
    uses: invitation.uses,
    uses_max: invitation.usesMax,
  };
}

export function invitedView({ login, usedAt }: Invited) {
  return { login, used_at: toUnixSeconds(usedAt) };
}
