import type { Clock } from '../../lib/clock.ts';
import { DomainError, messageOf, stoppingError } from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { ProgressView } from '../../lib/json-line.ts';
import { runCommand, type OwnProgram } from './command-process.ts';
import { bareAddresses, commandOf, endsInOrder, withoutInput, type TrustWork } from './work.ts';

/** Jobs of a node that have not ended. */
const UNENDED_MAX = 16;
/** Jobs that ended and are still told of, the newest. */
const ENDED_KEPT = 50;
/** Warnings of one job that are kept, the first ones. */
const WARNINGS_MAX = 50;
const RETRY_AFTER_S = 60;

export const jobStates = ['waiting', 'running', 'done', 'failed', 'stopped'] as const;

export interface TrustJob {
  readonly id: string;
  /** Once it has ended, without what it read. */
  work: TrustWork;
  readonly askedBy: string;
  state: (typeof jobStates)[number];
  /** Milliseconds since 1970, as the next two; null until then. */
  readonly askedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  progress: ProgressView | null;
  readonly warnings: string[];
  /** What the command printed, of one that came to its end. */
  result: unknown;
  error: { code: string; message: string } | null;
}

export interface TrustJobsOptions extends OwnProgram {
  clock: Clock;
  log: Log;
}

interface Entry {
  job: TrustJob;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * Long work on the link graph that was asked for over HTTP: one job after the other, each as the command of that name
 * in a process of its own. Releases lie in the data directory, so jobs are of this node, and told of while it runs.
 */
export class TrustJobs {
  readonly #options: TrustJobsOptions;
  /** The oldest first. */
  readonly #entries: Entry[] = [];
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: TrustJobsOptions) {
    this.#options = options;
  }

  /** @throws `rate_limited` when too many wait; `overloaded` when the server stops */
  start(work: TrustWork, askedBy: string): TrustJob {
    if (this.#closed) throw stoppingError(false);
    const unended = this.#entries.filter(({ job }) => job.endedAt === null).length;
    if (unended >= UNENDED_MAX) {
      const message = `${unended} jobs wait already: try again when some of them have ended`;
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

  /** The newest first. */
  list(): TrustJob[] {
    return this.#entries.map(({ job }) => job).toReversed();
  }

  /**
   * Ends a job, and resolves when it has ended; one that had ended before is told as it is.
   * @throws `not_found`
   */
  async stop(id: string): Promise<TrustJob> {
    const entry = this.#entries.find(({ job }) => job.id === id);
    if (!entry) {
      throw new DomainError('not_found', 'this node has no job of that id: list its jobs');
    }
    await this.#end(entry);
    return entry.job;
  }

  /** Ends all jobs, and takes no more. */
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
    try {
      job.result = await runCommand(this.#options, commandOf(job.work), signal, {
        onProgress: (progress) => (job.progress = progress),
        onWarning: (warning) =>
          void (job.warnings.length < WARNINGS_MAX && job.warnings.push(warning)),
      });
      this.#over(job, signal.aborted && endsInOrder(job.work) ? 'stopped' : 'done');
    } catch (error) {
      if (signal.aborted) return this.#over(job, 'stopped');
      const code = error instanceof DomainError ? error.code : 'internal_error';
      job.error = { code, message: messageOf(error) };
      this.#over(job, 'failed');
    }
  }

  #over(job: TrustJob, state: TrustJob['state']): void {
    const { clock, log } = this.#options;
    job.state = state;
    job.endedAt = clock.now();
    job.work = withoutInput(job.work);
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
