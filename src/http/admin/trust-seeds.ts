import { z } from 'zod';
import type { SeedLists } from '../../trust/index.ts';
import { adminOperation } from '../operation.ts';
import { pageLimit } from '../schemas.ts';
import { badDomains, domainLines, DOMAINS_BODY_MAX_BYTES } from './domain-lines.ts';

const kind = z.enum(['trusted', 'spam']);

export const trustSeedsOperation = (seeds: SeedLists) =>
  adminOperation({
    path: '/admin/trust/seeds/',
    unlogged: true,
    summary: 'List your trusted and spam domains',
    description: 'By domain.',
    body: z.object({
      limit: pageLimit,
      after: z.string().nullish().meta({ description: 'Only domains after this one.' }),
    }),
    result: z.object({ seeds: z.array(z.object({ domain: z.string(), kind })) }),
    handle: async ({ limit, after }) => ({ seeds: await seeds.page(after ?? '', limit) }),
  });

export const trustSeedsAddOperation = (seeds: SeedLists) =>
  adminOperation({
    path: '/admin/trust/seeds/add/',
    summary: 'Add to your trusted or spam domains',
    description:
      'Takes effect with the next `zastava trust rank`. A domain on the other list moves to this list.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      kind,
      domains: domainLines
        .min(1)
        .meta({ description: 'Domains or addresses; the registrable domain of each is added.' }),
    }),
    example: { kind: 'trusted', domains: ['example.com'] },
    result: z.object({
      added: z.int().meta({ description: 'How many of these domains are in the list now.' }),
      bad: badDomains,
    }),
    handle: async ({ kind: list, domains }) => {
      const { domains: added, bad } = await seeds.add(list, domains.join('\n'));
      return { added: added.length, bad };
    },
  });
