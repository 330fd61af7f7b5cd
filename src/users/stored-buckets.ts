import { prepareInsert, prepareUpdate, tables, type Tx } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';
import { fullAt, waitMs, type BucketRule } from './token-bucket.ts';

/** Token buckets in the database, so that limits of attempts are exact across all nodes. */

/** The update changes nothing: it locks and returns an existing row. */
const lockRows = prepareInsert(tables.login_buckets, {
  onConflict: 'ON CONFLICT (name) DO UPDATE SET name = excluded.name',
  returning: ['name', 'filled_at'],
});
const updateRows = prepareUpdate(tables.login_buckets, { key: ['name'], set: ['filled_at'] });

export interface NamedRule {
  name: string;
  rule: BucketRule;
}

/**
 * A digest as the name of a bucket. It is keyed, since a plain digest could be compared with those of all IPv4
 * addresses.
 */
export function keyedDigest(secret: Uint8Array, text: string): string {
  return new Bun.CryptoHasher('sha256', secret).update(text).digest('hex');
}

/** @param what completes the sentence, such as `to log in` @param waitMilliseconds from `takeAll` */
export function tooManyAttempts(what: string, waitMilliseconds: number): DomainError {
  const retryAfterSeconds = Math.ceil(waitMilliseconds / 1_000);
  const message = `too many attempts ${what}; try again in ${retryAfterSeconds} s`;
  return new DomainError('too_many_attempts', message, { retryAfterSeconds });
}

/** @returns 0 if an attempt was taken from every bucket, or else the milliseconds until all have one */
export async function takeAll(tx: Tx, buckets: readonly NamedRule[], now: number): Promise<number> {
  const locked = (await lockBuckets(tx, buckets, now)).map(({ name, rule, stored }) => ({
    name,
    rule,
    full: fullAt(stored, rule, now),
  }));
  const wait = Math.max(...locked.map(({ full, rule }) => waitMs(full, rule, now)));
  // Also written on refusal: `fullAt` may have corrected the time after a jump of the clock.
  await updateRows(
    tx,
    locked.map(({ name, rule, full }) => ({
      name,
      filled_at: wait > 0 ? full : full + rule.refillMs,
    })),
  );
  return wait;
}

/** Returns an attempt to every bucket. */
export async function giveBackAll(
  tx: Tx,
  buckets: readonly NamedRule[],
  now: number,
): Promise<void> {
  const locked = await lockBuckets(tx, buckets, now);
  await updateRows(
    tx,
    locked.map(({ name, rule, stored }) => ({ name, filled_at: stored - rule.refillMs })),
  );
}

/**
 * Creates missing buckets, full, and locks all buckets until the end of the transaction, in the order of their names, so
 * that transactions with the same buckets do not deadlock.
 */
async function lockBuckets(tx: Tx, buckets: readonly NamedRule[], now: number) {
  const sorted = buckets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = await lockRows(
    tx,
    // Nothing reads `tokens_milli`.
    sorted.map(({ name }) => ({ name, tokens_milli: 0, filled_at: now })),
  );
  const filled = new Map(rows.map((row) => [row.name, row.filled_at]));
  return sorted.map(({ name, rule }) => ({ name, rule, stored: filled.get(name) ?? now }));
}
