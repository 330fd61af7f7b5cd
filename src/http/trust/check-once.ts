import type { TrustCheck, TrustRecord } from '../../trust/index.ts';
import type { Caller, TrustAllowance } from '../../users/index.ts';

/** Checks one address, which costs one check of the caller's allowance; a refused or failed check costs none. */
export async function checkOnce(
  { trust, allowance }: { trust: TrustCheck; allowance: TrustAllowance },
  { userId }: Caller,
  url: string,
  options: { withTopDonors?: boolean } = {},
): Promise<{ record: TrustRecord; remaining: number }> {
  const site = trust.siteOf(url);
  const taken = await allowance.take(userId);
  try {
    return {
      record: await trust.check(site, { by: userId, ...options }),
      remaining: taken.remaining,
    };
  } catch (error) {
    await taken.giveBack();
    throw error;
  }
}
