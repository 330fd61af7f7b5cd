import { z } from 'zod';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation } from '../operation.ts';
import { pageLimit } from '../schemas.ts';

/** Hundreds of thousands of domains fit. */
export const DOMAINS_BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Domains or addresses of sites, each as a line of a file would have it. */
export const domainLines = z.array(z.string().regex(/^[^\r\n]*$/, 'must be one line'));

/** The lines that name no site. */
export const badDomains = z.array(
  z.object({
    line: z.int().describe('The place in `domains`, from 1.'),
    text: z.string(),
    message: z.string(),
  }),
);

const kind = z.enum(['trusted', 'spam']);

export const seedOperations = ({ seeds }: OperationParts) => [
  adminOperation({
    path: '/admin/trust/seeds/',
    unlogged: true,
    summary: 'List your trusted and spam domains',
    description: 'By domain.',
    body: z.object({
      limit: pageLimit,
      after: z.string().nullish().describe('Only domains after this one.'),
    }),
    result: z.object({ seeds: z.array(z.object({ domain: z.string(), kind })) }),
    handle: async ({ limit, after }) => ({ seeds: await seeds.page(after ?? '', limit) }),
  }),

  adminOperation({
    path: '/admin/trust/seeds/add/',
    summary: 'Add to your trusted or spam domains',
    description:
      'Takes effect with the next `zastava trust rank`. A domain on the other list moves to this list.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      kind,
      domains: domainLines.min(1).describe('Domains or addresses. Adds their registrable domains.'),
    }),
    example: { kind: 'trusted', domains: ['example.com'] },
    result: z.object({
      added: z.int().describe('How many of these domains are in the list now.'),
      bad: badDomains,
    }),
    handle: async ({ kind: list, domains }) => {
      const { domains: added, bad } = await seeds.add(list, domains.join('\n'));
      return { added: added.length, bad };
    },
  }),

  adminOperation({
    path: '/admin/trust/seeds/remove/',
    summary: 'Remove from your trusted and spam domains',
    description: 'Takes effect with the next `zastava trust rank`.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      domains: domainLines.min(1).describe('Domains or addresses, of either list.'),
    }),
    example: { domains: ['example.com'] },
    result: z.object({
      removed: z.int().describe('How many of these domains were on a list.'),
      bad: badDomains,
    }),
    handle: async ({ domains }) => {
      const { removed, bad } = await seeds.remove(domains.join('\n'));
      return { removed: removed.length, bad };
    },
  }),
];
