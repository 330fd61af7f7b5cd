import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { TrustCheck } from '../../trust/index.ts';
import type { TrustAllowance } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { historyMode } from './check.ts';
import { trustRecord, trustRecordView } from './record.ts';

const ADDRESSES_MAX = 100;

const refused = z.object({ url: z.string(), error: z.string(), message: z.string() });

export const bulkOperation = (trust: TrustCheck, allowance: TrustAllowance) =>
  userOperation({
    path: '/trust/bulk/',
    summary: 'Check up to 100 web addresses',
    description:
      'Answers in the order of the addresses. An invalid address gets an error in its place and uses no allowance. Each other address uses one check of your allowance; if the allowance does not cover all, nothing is checked.',
    body: z.object({
      urls: z.array(z.string()).min(1).max(ADDRESSES_MAX),
      history: historyMode,
    }),
    example: { urls: ['https://example.com/'] },
    result: z.object({ records: z.array(z.union([trustRecord, refused])) }),
    errors: ['allowance_used_up'],
    slow: true,
    handle: async (body, { caller: { userId, login } }) => {
      const sites = body.urls.map((url) => siteOrRefusal(trust, url));
      const good = sites.filter((site) => 'site' in site).length;
      const taken = good === 0 ? undefined : await allowance.take(userId, good);
      const remaining = taken?.remaining ?? 0;
      const history = body.history ?? 0;
      const ended = await Promise.allSettled(
        sites.map(async (entry) => {
          if (!('site' in entry)) return entry;
          const record = await trust.check(entry.site, { by: userId });
          return trustRecordView(record, { login, remaining, history });
        }),
      );
      const failures = ended.filter((one) => one.status === 'rejected');
      // An internal failure fails the whole call, which then uses no allowance.
      const internal = failures.find(({ reason }) => !(reason instanceof DomainError));
      const unused = internal ? good : failures.length;
      if (unused > 0) await taken?.giveBack(unused);
      if (internal) throw internal.reason;
      const records = ended.map((one, index) =>
        one.status === 'fulfilled' ? one.value : refusalOf(body.urls[index] ?? '', one.reason),
      );
      return { records };
    },
  });

type Entry = { url: string; site: ReturnType<TrustCheck['siteOf']> } | z.input<typeof refused>;

function siteOrRefusal(trust: TrustCheck, url: string): Entry {
  try {
    return { url, site: trust.siteOf(url) };
  } catch (error) {
    return refusalOf(url, error);
  }
}

function refusalOf(url: string, error: unknown): z.input<typeof refused> {
  if (!(error instanceof DomainError)) throw error;
  return { url, error: error.code, message: error.message };
}
