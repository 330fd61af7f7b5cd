import type { Clock } from '../../lib/clock.ts';
import { DomainError, messageOf, stoppingError } from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { ProgressView } from '../../lib/json-line.ts';
import type { OwnProgram } from './command-process.ts';
import { bareAddresses, commandOf, subjectOf, type TrustWork } from './work.ts';

const UNENDED_MAX = 16;
/** How many ended jobs are listed, the newest ones. */
const ENDED_KEPT = 50;
/** How many warnings are kept for a job, the first ones. */
const WARNINGS_MAX = 50;
const RETRY_AFTER_S = 60;

export const jobStates = ['waiting', 'running', 'done', 'failed', 'stopped'] as const;

export interface TrustJob {
  readonly id: string;
  /** Without its input once the job has ended. */
  work: TrustWork;
  readonly askedBy: string;
  state: (typeof jobStates)[number];
  readonly askedAt: number;
  /** Like the end, null until then. */
  startedAt: number | null;
  endedAt: number | null;
  progress: ProgressView | null;
  readonly warnings: string[];
  /** The output of the command, once the job is done. */
  result: unknown;
  error: { code: string; message: string } | null;
}

export interface TrustJobsOptions extends OwnProgram {
  clock: Clock;
  log: Log;
}

/** The jobs of a server, in this or another of its processes. Fails as `TrustJobs` does. */
export interface TrustJobBook {
  start(work: TrustWork, askedBy: string): TrustJob | Promise<TrustJob>;
  list(): TrustJob[] | Promise<TrustJob[]>;
  stop(id: string): Promise<TrustJob>;
}

interface Entry {
  job: TrustJob;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * Long work on the link graph that was requested over HTTP. Jobs run one after the other, each as the command of the
 * same name in a separate process. Releases are in the data directory, so jobs belong to this node; their list ends
 * with the process.
 */
export class TrustJobs implements TrustJobBook {
  readonly #options: TrustJobsOptions;
  /** Oldest first. */
  readonly #entries: Entry[] = [];
  #last: Promise<void> = Promise.resolve();
  #closed = false;
  /** On the monotonic clock. */
  #runningSince: number | undefined;

  constructor(options: TrustJobsOptions) {
    this.#options = options;
  }

  /** @throws `rate_limited` if too many wait; `overloaded` if the server is stopping */
  start(work: TrustWork, askedBy: string): TrustJob {
    if (this.#closed) throw stoppingError(false);
    const unended = this.#entries.filter(({ job }) => job.endedAt === null).length;
    if (unended >= UNENDED_MAX) {
      const message = `${unended} jobs are waiting or running: try again when some have ended`;
      throw new DomainError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_S });
    }
    const job: TrustJob = {
      id: randomHex(8),
      work,
      askedBy,
      state: 'waiting',
      warnings: [],
      result: null,
      askedAt: this.#options.clock.now(),
      startedAt: null,
      endedAt: null,
      progress: null,
      error: null,
    };
    const abort = new AbortController();
    const ended = this.#last.then(() => this.#run(job, abort.signal));
    this.#last = ended;
    this.#entries.push({ job, abort, ended });
    this.#forget();
    return job;
  }

  /** How long the running job has taken; 0 without one. */
  get runningSeconds(): number {
    const since = this.#runningSince;
    return since === undefined ? 0 : (this.#options.clock.monotonic() - since) / 1000;
  }

  /** Newest first. */
  list(): TrustJob[] {
    return this.#entries.map(({ job }) => job).toReversed();
  }

  /** Ends a job and resolves when it has ended; a job that ended before stays as it is. @throws `not_found` */
  async stop(id: string): Promise<TrustJob> {
    const entry = this.#entries.find(({ job }) => job.id === id);
    if (!entry) {
      throw new DomainError('not_found', 'this node has no job with that id: list its jobs');
    }
    await this.#end(entry);
    return entry.job;
  }

  /** Ends all jobs and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#entries.map((entry) => this.#end(entry)));
  }

  async #end({ job, abort, ended }: Entry): Promise<void> {
    abort.abort();
    if (job.state === 'waiting') this.#over(job, 'stopped');
    if (job.endedAt === null) await ended;
  }

  async #run(job: TrustJob, signal: AbortSignal): Promise<void> {
    if (job.state !== 'waiting') return;
    job.state = 'running';
    job.startedAt = this.#options.clock.now();
    this.#runningSince = this.#options.clock.monotonic();
    this.#options.log.info(
      { job: job.id, work: job.work.kind, ...subjectOf(job.work), by: job.askedBy },
      'trust job started',
    );
    try {
      // Loaded with the modules for processes, which an idle server does not need.
      const { runCommand } = await import('./command-process.ts');
      job.result = await runCommand(this.#options, commandOf(job.work), signal, {
        onProgress: (progress) => (job.progress = progress),
        onWarning: (warning) =>
          void (job.warnings.length < WARNINGS_MAX && job.warnings.push(warning)),
      });
      // A stopped crawl prints a result too; for other jobs, a result means that they are done.
      this.#over(job, signal.aborted && job.work.kind === 'crawl' ? 'stopped' : 'done');
    } catch (error) {
      if (signal.aborted) return this.#over(job, 'stopped');
      const code = error instanceof DomainError ? error.code : 'internal_error';
      job.error = { code, message: messageOf(error) };
      this.#over(job, 'failed');
    }
  }

  #over(job: TrustJob, state: TrustJob['state']): void {
    const { clock, log } = this.#options;
    if (job.state === 'running') this.#runningSince = undefined;
    job.state = state;
    job.endedAt = clock.now();
    // The domains may take megabytes.
    if (job.work.kind === 'crawl') job.work = { ...job.work, domains: [] };
    const why = job.error && { ...job.error, message: bareAddresses(job.error.message) };
    const facts = { job: job.id, work: job.work.kind, state, ...why };
    log[state === 'failed' ? 'warn' : 'info'](facts, 'trust job ended');
  }

  #forget(): void {
    const ended = this.#entries.filter(({ job }) => job.endedAt !== null);
    for (const old of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) {
      this.#entries.splice(this.#entries.indexOf(old), 1);
    }
  }
}
