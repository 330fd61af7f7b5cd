import type { GeneratedYear } from '../../support/generated-year.ts';

/** A charge of the ledger, with the data of its message. The amount is in micro-rubles. */
export interface Charge {
  userId: number;
  login: string;
  /** `YYYY-MM-DD`. */
  day: string;
  modelId: number;
  provider: string;
  amount: number;
}

export async function chargesOf({ gateway: { core } }: GeneratedYear): Promise<Charge[]> {
  const rows = await core.db.query<Omit<Charge, 'day'> & { at: number }>(
    `SELECT e.user_id AS "userId", u.login, e.created_at AS at, v.model_id AS "modelId",
       m.provider_code AS provider, -e.amount AS amount
     FROM ledger_entries e JOIN users u ON u.id = e.user_id
     JOIN messages s ON s.user_id = e.user_id AND s.id = e.message_id
     JOIN model_versions v ON v.id = s.version_id JOIN models m ON m.id = v.model_id
     WHERE e.account = 'user' AND e.kind = 'charge'`,
  );
  return rows.map(({ at, ...row }) => ({ ...row, day: new Date(at).toISOString().slice(0, 10) }));
}

export const total = (charges: readonly Charge[]): number =>
  charges.reduce((sum, { amount }) => sum + amount, 0);

/** An amount in rubles, a double, as micro-rubles. */
export const micro = (rubles: number): number => Math.round(rubles * 1e6);

/** The sums of rows by a name. */
export function summed<T>(
  rows: readonly T[],
  name: (row: T) => string,
  amount: (row: T) => number,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[name(row)] = (sums[name(row)] ?? 0) + amount(row);
  return sums;
}
