import { z } from 'zod';
import type { BookCheck } from '../../ledger/index.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';

export const ledgerVerifyOperation = (verifyBooks: () => Promise<BookCheck[]>) =>
  adminOperation({
    path: '/admin/ledger/verify/',
    unlogged: true,
    summary: 'Verify the books',
    description: 'Reads all entries, which takes a while on a large database.',
    body: emptyBody,
    result: z.object({
      holds: z.boolean().meta({ description: 'true: every check holds.' }),
      checks: z.array(
        z.object({
          name: z.string(),
          holds: z.boolean(),
          checked: z.int().meta({ description: 'How many rows were checked.' }),
          broken: z
            .array(z.record(z.string(), z.unknown()))
            .meta({ description: 'The first rows that violate it.' }),
        }),
      ),
    }),
    slow: true,
    handle: async () => {
      const checks = await verifyBooks();
      return { holds: checks.every(({ holds }) => holds), checks };
    },
  });
