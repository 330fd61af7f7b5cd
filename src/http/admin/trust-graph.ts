import { z } from 'zod';
import { parseCrawlSeeds, releaseNamePattern, type TrustJobs } from '../../trust/index.ts';
import { adminOperation } from '../operation.ts';
import { badDomains, domainLines, DOMAINS_BODY_MAX_BYTES } from './domain-lines.ts';
import { beginJob, trustJob } from './trust-job-view.ts';

const address = (of: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .meta({ description: `Address of a text, which may be gzipped: lines of ${of}.` });
export const releaseName = z
  .string()
  .regex(releaseNamePattern, 'must be 1 to 64 letters, digits, ".", "_" and "-"');
const wholeNumber = z.int().min(1).nullish();
const memory = wholeNumber.meta({ description: 'MiB of memory; absent: as the command has it.' });

const result = z.object({ job: trustJob });

export const trustImportOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/import/',
    tag: 'Admin',
    summary: 'Import a graph of domains',
    description:
      'Begins a job, as `zastava trust import`. Files of the machine are imported by the command alone.',
    body: z.object({
      vertices: address('id TAB reversed.domain'),
      edges: address('from TAB to'),
      release: releaseName.nullish().meta({ description: 'Absent: called after the file.' }),
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
      return beginJob(jobs, { kind: 'import', vertices, edges, ...options }, caller);
    },
  });

export const trustRankOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/rank/',
    tag: 'Admin',
    summary: 'Score a release, and answer checks from it',
    description: 'Begins a job, as `zastava trust rank`.',
    body: z.object({
      release: releaseName
        .nullish()
        .meta({ description: 'Absent: the newest import, with what was crawled.' }),
      memory_mib: memory,
    }),
    result,
    errors: ['rate_limited'],
    handle: ({ release, memory_mib: memoryMiB }, { caller }) => {
      const options = { release: release ?? undefined, memoryMiB: memoryMiB ?? undefined };
      return beginJob(jobs, { kind: 'rank', ...options }, caller);
    },
  });

export const trustCrawlOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/crawl/',
    tag: 'Admin',
    summary: 'Read sites, and store which links to which',
    description: 'Begins a job, as `zastava trust crawl`.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      domains: domainLines.nullish().meta({
        description: 'Sites to begin with, domains or addresses; absent: goes on with what waits.',
      }),
      pages: wholeNumber.meta({ description: 'Pages to read; absent: as the command has it.' }),
    }),
    example: { domains: ['example.com'], pages: 10 },
    result: result.extend({ bad: badDomains }),
    errors: ['rate_limited'],
    handle: async ({ domains: given, pages }, { caller }) => {
      const { domains, bad } =
        given && given.length > 0 ? parseCrawlSeeds(given.join('\n')) : { domains: [], bad: [] };
      const work = { kind: 'crawl', domains, pages: pages ?? undefined } as const;
      return { ...(await beginJob(jobs, work, caller)), bad };
    },
  });
