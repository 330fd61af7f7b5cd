import { z } from 'zod';
import type { TrustCheck } from '../../trust/index.ts';
import type { TrustAllowance } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { trustRecord, trustRecordView } from './record.ts';

export const historyMode = z
  .union([z.literal(0), z.literal(1), z.literal(2)], { error: 'must be 0, 1 or 2' })
  .nullish()
  .meta({ description: '0: no history; 1 or 2: its points.', default: 0 });

export const checkOperation = (trust: TrustCheck, allowance: TrustAllowance) =>
  userOperation({
    path: '/trust/check/',
    summary: 'Check a web address',
    description:
      'The record of the legacy interface, with the reasons for its values. Uses one check of your allowance.',
    body: z.object({ url: z.string(), history: historyMode }),
    example: { url: 'https://example.com/' },
    result: trustRecord,
    errors: ['allowance_used_up'],
    slow: true,
    handle: async (body, { caller }) => {
      const site = trust.siteOf(body.url);
      const { userId, login } = caller;
      const taken = await allowance.take(userId);
      const { remaining } = taken;
      try {
        const record = await trust.check(site, { by: userId });
        return trustRecordView(record, { login, remaining, history: body.history ?? 0 });
      } catch (error) {
        await taken.giveBack();
        throw error;
      }
    },
  });

export const trustHistoryOperation = (trust: TrustCheck) =>
  userOperation({
    path: '/trust/history/',
    summary: "Show how a site's score changed",
    description: 'The recorded points. Checks nothing, and uses nothing of your allowance.',
    body: z.object({ url: z.string() }),
    example: { url: 'https://example.com/' },
    result: z.object({ domain: z.string(), history: trustRecord.shape.history }),
    handle: async (body) => {
      const site = trust.siteOf(body.url);
      return { domain: site.domain, history: await trust.history(site) };
    },
  });
