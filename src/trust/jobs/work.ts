import type { SuffixReading } from '../identity.ts';

/** The work of a job: the same as the command of that name under `zastava trust`. */
export type TrustWork =
  | {
      kind: 'import';
      /** Addresses, http or https. */
      vertices: string;
      edges: string;
      release?: string | undefined;
      suffixes?: SuffixReading | undefined;
      foldHosts?: boolean | undefined;
      memoryMiB?: number | undefined;
    }
  | {
      kind: 'rank';
      release?: string | undefined;
      memoryMiB?: number | undefined;
      /** Whether the result lists the domains that changed colour. */
      diff?: boolean | undefined;
    }
  | {
      kind: 'crawl';
      /** Registrable domains to start from. Empty: resumes with the waiting sites. */
      domains: readonly string[];
      pages: number | undefined;
    }
  | {
      kind: 'use';
      /** Undefined: unchanged. */
      release: string | undefined;
      /** The release of the whole web; null: none, undefined: unchanged. */
      base?: string | null | undefined;
      /** The earlier release with which the base is compared. */
      since?: string | undefined;
    };

export const trustWorkKinds = ['import', 'rank', 'crawl', 'use'] as const;

/** The command for a job: the arguments after the program's name, and the standard input. */
export function commandOf(work: TrustWork): { words: string[]; input: string } {
  return { words: ['trust', ...wordsOf(work), '--json'], input: inputOf(work) };
}

/** Arguments are visible to every user of the machine, and addresses may contain secrets. */
function inputOf(work: TrustWork): string {
  if (work.kind === 'import') return JSON.stringify([work.vertices, work.edges]);
  return work.kind === 'crawl' ? work.domains.map((domain) => `${domain}\n`).join('') : '';
}

function wordsOf(work: TrustWork): string[] {
  switch (work.kind) {
    case 'import':
      return [
        'import',
        '--guarded',
        '--vertices=-',
        '--edges=-',
        ...option('release', work.release),
        ...option('suffixes', work.suffixes),
        ...(work.foldHosts === true ? ['--fold-hosts'] : []),
        ...option('memory-mib', work.memoryMiB),
      ];
    case 'rank':
      return [
        'rank',
        ...option('release', work.release),
        ...option('memory-mib', work.memoryMiB),
        ...(work.diff === true ? ['--diff'] : []),
      ];
    case 'crawl':
      return [
        'crawl',
        ...option('seeds', work.domains.length > 0 ? '-' : undefined),
        ...option('pages', work.pages),
      ];
    case 'use':
      return [
        'release',
        'use',
        ...(work.release === undefined ? [] : [work.release]),
        ...(work.base === null ? ['--no-base'] : option('base', work.base)),
        ...option('since', work.since),
      ];
  }
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

/** For the log: the subject of a job. */
export function subjectOf(work: TrustWork): object {
  if (work.kind === 'crawl') return { domains: work.domains.length };
  const from =
    work.kind === 'import' ? { from: [work.vertices, work.edges].map(bareAddresses) } : undefined;
  return { release: work.release, ...from };
}

/** For the log: removes user, password, query and fragment from the addresses in a text, since they may be secret. */
export function bareAddresses(text: string): string {
  return text.replaceAll(/(https?:\/\/)(?:[^\s/?#]*@)?([^\s?#]*)\S*/gi, '$1$2');
}
