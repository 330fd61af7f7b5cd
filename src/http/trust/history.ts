import { z } from 'zod';
import type { TrustCheck } from '../../trust/index.ts';
import { userOperation } from '../operation.ts';
import { trustRecord } from './record.ts';

export const trustHistoryOperation = (trust: TrustCheck) =>
  userOperation({
    path: '/trust/history/',
    tag: 'Trust',
    summary: "Show how a site's score changed",
    description: 'The recorded points. Nothing is checked, and the allowance stays as it is.',
    body: z.object({ url: z.string() }),
    result: z.object({ domain: z.string(), history: trustRecord.shape.history }),
    errors: [],
    handle: async (body) => {
      const site = trust.siteOf(body.url);
      return { domain: site.domain, history: await trust.history(site) };
    },
  });
