/** API keys with every kind of limit and budget, for campaigns whose sends must be exact with them, too. */
import { postOk } from './client.ts';

/** So large that nothing is refused. */
const ENOUGH = 1_000_000;

/** In rubles. Without one of these the key has the others. */
export const ampleLimits = {
  requests_per_minute: ENOUGH,
  tokens_per_minute: 1_000_000_000_000,
  rubles_per_day: ENOUGH,
  rubles_per_month: ENOUGH,
  rubles_total: ENOUGH,
};

export interface LimitedKey {
  id: string;
  key: string;
}

/** A key of the token's user, with these limits or ones that refuse nothing. */
export async function limitedKey(
  url: string,
  token: string,
  limits: Partial<typeof ampleLimits> = {},
): Promise<LimitedKey> {
  const body = { name: 'limited', ...ampleLimits, ...limits };
  const made = await postOk(url, token, '/account/keys/', body);
  return { id: String(made['id']), key: String(made['key']) };
}

/**
 * All charges that a key counts, in micro-rubles.
 * @param token of an operator
 */
export async function spentBy(url: string, token: string, { id }: LimitedKey): Promise<number> {
  const { used } = await postOk(url, token, '/admin/keys/limit/', { id });
  return Math.round((used as { rubles_total: number }).rubles_total * 1e6);
}
