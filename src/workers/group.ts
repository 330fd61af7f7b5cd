import type { Environment } from '../config/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { endsWithin } from '../lib/within.ts';
import type { Announced, FromWorker } from './messages.ts';
import { WorkerProcess } from './worker-process.ts';

/**
 * The pause before a worker is started again: doubled at each failure, and short again once a worker has served long
 * enough.
 */
const AGAIN_MS = { least: 100, most: 10_000 };
const SERVED_LONG_MS = 60_000;
/** How long an answer to other workers' questions may take. */
const ANSWER_MS = 2_000;
/** Longer for the first worker: stopping a job waits for its process. */
const FIRST_ANSWER_MS = 30_000;
/** In addition to the time for draining, which each worker observes itself. */
const STOP_GRACE_MS = 10_000;

export interface WorkersOptions {
  count: number;
  /** The command line that starts this program. */
  program: readonly string[];
  /** Words of the command line that each worker also gets. */
  options: readonly string[];
  env: Environment;
  log: Log;
  clock: Clock;
  drainSeconds: number;
}

/** The place of a worker, which one process after another takes. */
interface Place {
  readonly number: number;
  worker: WorkerProcess | undefined;
  /** The worker that was asked to leave, if any: when it ends, it does not count as failed and is not started again. */
  leaving: WorkerProcess | undefined;
  failures: number;
  timer: Timer | undefined;
}

/**
 * Processes that serve on one port, and a parent that serves nothing: it restarts processes that die, and passes
 * questions on. Linux gives each process its share of new connections.
 */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #places: Place[];
  #port: string | undefined;
  #ends = 0;
  #lastId = 0;
  #isUp = false;
  #stopping: Promise<boolean> | undefined;
  #replacing: Promise<void> = Promise.resolve();
  #isReplaceRequested = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, (_, number) => ({
      number,
      worker: undefined,
      leaving: undefined,
      failures: 0,
      timer: undefined,
    }));
  }

  /**
   * Starts the first worker, which makes what a server needs once, then all others.
   * @returns what to print once all serve
   * @throws WorkerEnded if one ends instead; then all others are stopped
   */
  async start(): Promise<Announced> {
    const [first, ...others] = this.#places;
    if (!first) throw new Error('no workers');
    try {
      const announced = await this.#open(first).serving;
      this.#port = new URL(announced.url).port || '80';
      await Promise.all(others.map((place) => this.#stopping ?? this.#open(place).serving));
      this.#isUp = true;
      return announced;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Asks all workers to stop; each lets its requests end. @returns whether all ended successfully and in time */
  stop(): Promise<boolean> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /**
   * Replaces each worker with a new process, one at a time, while the others serve. A call during a replacement starts
   * another replacement after it.
   */
  replace(): void {
    if (!this.#isUp || this.#isReplaceRequested) return;
    this.#isReplaceRequested = true;
    this.#replacing = this.#replacing.then(() => this.#replaceAll());
  }

  async #replaceAll(): Promise<void> {
    this.#isReplaceRequested = false;
    const { log } = this.#options;
    for (const place of this.#places) {
      const { number, worker } = place;
      if (this.#stopping) return;
      // A worker that is not serving has just been started, or will be.
      if (!worker?.isServing) continue;
      place.leaving = worker;
      worker.send({ kind: 'leave' });
      if (!(await endsWithin(worker.ended, this.#endMs))) worker.kill();
      const how = await worker.ended;
      if (this.#stopping) return;
      if (how !== 0) log.warn({ worker: number, how }, 'a worker did not stop as it should');
      try {
        await this.#open(place).serving;
      } catch {
        if (this.#stopping) return;
        return log.error(
          { worker: number },
          'the new worker has ended; the others stay as they are',
        );
      }
    }
    log.info('all workers have been replaced');
  }

  async #stopAll(): Promise<boolean> {
    const running = this.#places.flatMap(({ worker, timer }) => {
      clearTimeout(timer);
      return worker ? [worker] : [];
    });
    for (const worker of running) worker.send({ kind: 'stop' });
    const ends = Promise.all(running.map(({ ended }) => ended));
    if (!(await endsWithin(ends, this.#endMs))) for (const worker of running) worker.kill();
    return (await ends).every((how) => how === 0);
  }

  /** Milliseconds after which a worker that was asked to end is killed. */
  get #endMs(): number {
    return this.#options.drainSeconds * 1000 + STOP_GRACE_MS;
  }

  #open(place: Place): WorkerProcess {
    const { program, options, env } = this.#options;
    const join = this.#port === undefined ? [] : ['--join', this.#port];
    const worker = new WorkerProcess(
      { program, env, options: ['--worker', String(place.number), ...join, ...options] },
      (ask) => void this.#passOn(worker, ask),
    );
    place.worker = worker;
    void this.#watch(place, worker);
    return worker;
  }

  async #watch(place: Place, worker: WorkerProcess): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    const how = await worker.ended;
    place.worker = undefined;
    if (this.#stopping || !this.#isUp || place.leaving === worker) return;
    if (clock.monotonic() - startedAt >= SERVED_LONG_MS) place.failures = 0;
    this.#startAgain(place, worker.pid, how);
  }

  #startAgain(place: Place, pid: number, how: number | string): void {
    const { log } = this.#options;
    const afterMs = Math.min(AGAIN_MS.least * 2 ** place.failures++, AGAIN_MS.most);
    this.#ends++;
    log.error(
      { worker: place.number, pid, how, afterMs },
      'a worker has ended; it is started again',
    );
    // Not at once: a Ctrl-C may have reached the worker before the parent.
    place.timer = setTimeout(() => {
      if (this.#stopping) return;
      const worker = this.#open(place);
      void worker.serving.then(
        () => log.warn({ worker: place.number, pid: worker.pid }, 'a worker serves again'),
        () => undefined,
      );
    }, afterMs);
  }

  async #passOn(asker: WorkerProcess, ask: FromWorker & { kind: 'ask' }): Promise<void> {
    const { id, whom, what, about } = ask;
    const chosen = whom === 'all' ? this.#places : this.#places.slice(0, 1);
    const waitMs = whom === 'all' ? ANSWER_MS : FIRST_ANSWER_MS;
    const serving = chosen.flatMap(({ worker }) => (worker?.isServing ? [worker] : []));
    const replies = await Promise.all(
      serving.map((worker) => worker.ask(++this.#lastId, what, about, waitMs)),
    );
    if (what === 'metrics') replies.push({ value: this.#metrics() });
    const given = replies.filter((reply) => reply !== undefined);
    asker.send({ kind: 'replies', id, replies: given });
  }

  #metrics(): string {
    const serving = this.#places.filter(({ worker }) => worker?.isServing).length;
    return `# HELP zastava_workers Workers that serve.
# TYPE zastava_workers gauge
zastava_workers ${serving}

# HELP zastava_worker_ends_total Workers that ended unasked, and were started again.
# TYPE zastava_worker_ends_total counter
zastava_worker_ends_total ${this.#ends}
`;
  }
}
