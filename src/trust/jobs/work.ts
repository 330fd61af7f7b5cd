/** What a job does: the same as the command `zastava trust` of that name. */
export type TrustWork =
  | {
      kind: 'import';
      /** Addresses, http or https. */
      vertices: string;
      edges: string;
      release: string | undefined;
      memoryMiB: number | undefined;
    }
  | { kind: 'rank'; release: string | undefined; memoryMiB: number | undefined }
  | {
      kind: 'crawl';
      /** Registrable domains to begin with; none: goes on with what waits. */
      domains: readonly string[];
      pages: number | undefined;
    }
  | { kind: 'use'; release: string };

/** The kinds of work, as they are told. */
export const trustWorkKinds = ['import', 'rank', 'crawl', 'use'] as const;

export interface TrustCommand {
  /** What follows the program's name. */
  words: readonly string[];
  /** Standard input. */
  input: string;
}

/** The command that does a piece of work. */
export function commandOf(work: TrustWork): TrustCommand {
  return { words: ['trust', ...wordsOf(work), '--json'], input: inputOf(work) };
}

function wordsOf(work: TrustWork): string[] {
  switch (work.kind) {
    case 'import':
      return [
        'import',
        `--vertices=${work.vertices}`,
        `--edges=${work.edges}`,
        ...option('release', work.release),
        ...option('memory-mib', work.memoryMiB),
      ];
    case 'rank':
      return ['rank', ...option('release', work.release), ...option('memory-mib', work.memoryMiB)];
    case 'crawl':
      return [
        'crawl',
        ...option('seeds', work.domains.length > 0 ? '-' : undefined),
        ...option('pages', work.pages),
      ];
    case 'use':
      return ['release', 'use', work.release];
  }
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

function inputOf(work: TrustWork): string {
  return work.kind === 'crawl' ? work.domains.map((domain) => `${domain}\n`).join('') : '';
}

/** Whether a process that was asked to end comes to its end with a result: of all others, a result is that of the whole. */
export function endsInOrder(work: TrustWork): boolean {
  return work.kind === 'crawl';
}

/** What a piece of work was, without what may take megabytes. */
export function withoutInput(work: TrustWork): TrustWork {
  return work.kind === 'crawl' ? { ...work, domains: [] } : work;
}

/** A text whose addresses have no user, password, query or fragment, in which secrets stand: for the log. */
export function bareAddresses(text: string): string {
  return text.replaceAll(/(https?:\/\/)(?:[^\s/?#]*@)?([^\s?#]*)\S*/gi, '$1$2');
}
