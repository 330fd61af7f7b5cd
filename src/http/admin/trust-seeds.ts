import { z } from 'zod';
import type { Act } from '../../audit/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { listFormats, seedKinds, type ListedSites, type SeedLists } from '../../trust/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation } from '../operation.ts';
import { pageLimit, textOrNull, withoutNulls } from '../schemas.ts';

/** Large enough for hundreds of thousands of domains. */
export const DOMAINS_BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Domains or URLs of sites, each written like a line of a file. */
export const domainLines = z.array(z.string().regex(/^[^\r\n]*$/, 'must be one line'));

/** The lines that do not name a site. */
export const badDomains = {
  bad: z
    .array(
      z.object({
        line: z.int().describe('The place in `domains`, from 1.'),
        text: z.string(),
        message: z.string(),
      }),
    )
    .describe('The first thousand.'),
  bad_count: z.int().describe('The number of entries that name no site.'),
};

/** The fields of `badDomains`. */
export function badView({ bad, badCount }: Pick<ListedSites, 'bad' | 'badCount'>) {
  return { bad, bad_count: badCount };
}

const kind = z.enum(seedKinds);
const source = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters, without control characters');
const formatGiven = z
  .enum(listFormats)
  .nullish()
  .describe(
    '`lines`: one domain or address in each line, whose registrable domain is added. `hosts`, `adblock`, `csv` and `tranco` take whole sites only. Absent: recognised.',
  );
const listed = {
  kind,
  source: textOrNull.describe('The source that named it last; null: no source was stated.'),
  date: textOrNull.describe('The date of the list, YYYY-MM-DD; null: added by an earlier version.'),
};

async function remove(
  seeds: SeedLists,
  act: Act,
  domains: readonly string[] | undefined,
  from: string | undefined,
) {
  if ((domains === undefined) === (from === undefined)) {
    throw invalidField('domains', 'must be given, or else a source');
  }
  if (from !== undefined) {
    return { removed: await seeds.removeSource(from, act), bad: [], bad_count: 0 };
  }
  const { removed, ...bad } = await seeds.remove((domains ?? []).join('\n'), act);
  return { removed: removed.length, ...badView(bad) };
}

export const seedOperations = ({ seeds }: OperationParts) => [
  adminOperation({
    path: '/admin/trust/seeds/',
    unlogged: true,
    summary: 'List your trusted and spam domains',
    description: 'By domain, and what the lists are made of.',
    body: z.object({
      limit: pageLimit,
      after: z.string().nullish().describe('Only domains after this one.'),
    }),
    result: z.object({
      seeds: z.array(z.object({ domain: z.string(), ...listed })),
      sources: z
        .array(z.object({ ...listed, domains: z.int() }))
        .describe('All domains, counted by list, source and date.'),
    }),
    handle: async ({ limit, after }) => ({
      seeds: await seeds.page(after ?? '', limit),
      sources: await seeds.sources(),
    }),
  }),

  adminOperation({
    path: '/admin/trust/seeds/add/',
    act: 'seeds_added',
    summary: 'Add to your trusted or spam domains',
    description:
      'Takes effect with the next `zastava trust rank`. A domain on the other list moves to this list.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      kind,
      domains: domainLines
        .min(1)
        .describe('Domains or addresses, or the lines of a list in another format.'),
      format: formatGiven,
      source: source.nullish().describe('The source of the list.'),
      date: z.iso.date().nullish().describe('The date of the list; absent: today.'),
    }),
    example: { kind: 'trusted', domains: ['example.com'] },
    result: z.object({
      added: z.int().describe('How many of these domains are in the list now.'),
      moved: z.int().describe('How many of them were in the other list before.'),
      format: z.enum(listFormats),
      ...badDomains,
    }),
    handle: async (body, { act }) => {
      const { kind: list, domains, ...options } = withoutNulls(body);
      const added = await seeds.add(list, domains.join('\n'), { ...options, act });
      const { format, moved } = added;
      return { added: added.domains.length, moved, format, ...badView(added) };
    },
  }),

  adminOperation({
    path: '/admin/trust/seeds/remove/',
    act: 'seeds_removed',
    summary: 'Remove from your trusted and spam domains',
    description: 'Takes effect with the next `zastava trust rank`.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      domains: domainLines.min(1).nullish().describe('Domains or addresses, of either list.'),
      source: source
        .nullish()
        .describe('Instead of domains: removes all domains that this source named last.'),
    }),
    example: { domains: ['example.com'] },
    result: z.object({
      removed: z.int().describe('How many domains were on a list.'),
      ...badDomains,
    }),
    errors: ['not_found'],
    handle: ({ domains, source: of }, { act }) =>
      remove(seeds, act, domains ?? undefined, of ?? undefined),
  }),
];
