import { z } from 'zod';
import { parseCrawlSeeds, releaseNamePattern, type TrustJobs } from '../../trust/index.ts';
import { adminOperation } from '../operation.ts';
import { badDomains, domainLines, DOMAINS_BODY_MAX_BYTES } from './domain-lines.ts';
import { startJob, trustJob } from './trust-job-view.ts';

const address = (of: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .meta({ description: `Address of a text file, may be gzipped, with lines of ${of}.` });
export const releaseName = z
  .string()
  .regex(releaseNamePattern, 'must be 1 to 64 letters, digits, ".", "_" and "-"');
const wholeNumber = z.int().min(1).nullish();
const memory = wholeNumber.meta({
  description: 'MiB of memory; absent: the default of the command.',
});

const result = z.object({ job: trustJob });

export const trustImportOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/import/',
    summary: 'Import a domain graph',
    description:
      'Starts a job, like `zastava trust import`. Only the command can import local files.',
    body: z.object({
      vertices: address('id TAB reversed.domain'),
      edges: address('from TAB to'),
      release: releaseName.nullish().meta({ description: 'Absent: named after the file.' }),
      memory_mib: memory,
    }),
    example: {
      vertices: 'https://example.com/vertices.txt.gz',
      edges: 'https://example.com/edges.txt.gz',
      release: 'example',
    },
    result,
    errors: ['rate_limited'],
    handle: ({ vertices, edges, release, memory_mib: memoryMiB }, { caller }) => {
      const options = { release: release ?? undefined, memoryMiB: memoryMiB ?? undefined };
      return startJob(jobs, { kind: 'import', vertices, edges, ...options }, caller);
    },
  });

export const trustRankOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/rank/',
    summary: 'Rank a release, and use it for checks',
    description: 'Starts a job, like `zastava trust rank`.',
    body: z.object({
      release: releaseName
        .nullish()
        .meta({ description: 'Absent: the newest import, combined with crawled links.' }),
      memory_mib: memory,
    }),
    result,
    errors: ['rate_limited'],
    handle: ({ release, memory_mib: memoryMiB }, { caller }) => {
      const options = { release: release ?? undefined, memoryMiB: memoryMiB ?? undefined };
      return startJob(jobs, { kind: 'rank', ...options }, caller);
    },
  });

export const trustCrawlOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/crawl/',
    summary: 'Crawl sites, and store their links',
    description: 'Starts a job, like `zastava trust crawl`.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      domains: domainLines.nullish().meta({
        description:
          'Sites to start with, as domains or addresses; absent: continues with the queue.',
      }),
      pages: wholeNumber.meta({
        description: 'Pages to read; absent: the default of the command.',
      }),
    }),
    example: { domains: ['example.com'], pages: 10 },
    result: result.extend({ bad: badDomains }),
    errors: ['rate_limited'],
    handle: async ({ domains: given, pages }, { caller }) => {
      const { domains, bad } =
        given && given.length > 0 ? parseCrawlSeeds(given.join('\n')) : { domains: [], bad: [] };
      const work = { kind: 'crawl', domains, pages: pages ?? undefined } as const;
      return { ...(await startJob(jobs, work, caller)), bad };
    },
  });
