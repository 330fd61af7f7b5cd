import { DatabaseUnavailableError } from '../lib/errors.ts';
import { type Database, type Tx } from './database.ts';

/** Turns of the event loop that bring nothing new before a batch is written. */
const QUIET_TURNS = 3;
/** Turns that a batch gathers for at most: a steady trickle must not hold it up. */
const GATHER_TURNS_MAX = 64;

/** Runs a batch of commands inside one transaction; a result a command, in order. */
export type BatchRunner<Command, Result> = (tx: Tx, commands: Command[]) => Promise<Result[]>;

export interface GroupCommitLimits {
  /** Commands in one transaction. */
  batchMax: number;
  /** Commands waiting for the next transaction. */
  queueMax: number;
}

interface Waiting<Command, Result> {
  command: Command;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: what arrives while a transaction runs is written by the next one, so that the cost of a
 * commit (a flush to disk, a round trip) is shared, and falls per command as load grows.
 */
export class GroupCommit<Command, Result> {
  readonly #db: Database;
  readonly #run: BatchRunner<Command, Result>;
  readonly #limits: GroupCommitLimits;
  readonly #observe: (batchSize: number) => void;
  #queue: Waiting<Command, Result>[] = [];
  #running = false;
  #idle: (() => void)[] = [];

  constructor(
    db: Database,
    run: BatchRunner<Command, Result>,
    limits: GroupCommitLimits,
    observe: (batchSize: number) => void = () => {},
  ) {
    this.#db = db;
    this.#run = run;
    this.#limits = limits;
    this.#observe = observe;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** True when no more commands are taken; the caller refuses new work then. */
  get full(): boolean {
    return this.#queue.length >= this.#limits.queueMax;
  }

  /** Resolves after the commit that holds the command's effects; rejects when they were rolled back. */
  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      void this.#drain();
    });
  }

  /** Resolves once nothing waits and nothing runs. */
  idle(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      const batch = this.#queue.splice(0, this.#limits.batchMax);
      this.#observe(batch.length);
      await this.#commit(batch);
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Lets the event loop turn, without waiting, while requests and answers keep coming in: they join the batch.
   * On SQLite nothing else here waits for I/O. A quiet caller loses a few microseconds.
   */
  async #gather(): Promise<void> {
    let size = this.#queue.length;
    for (let turn = 0, quiet = 0; turn < GATHER_TURNS_MAX && quiet < QUIET_TURNS; turn++) {
      await new Promise((resume) => setImmediate(resume));
      quiet = this.#queue.length === size ? quiet + 1 : 0;
      size = this.#queue.length;
      if (size >= this.#limits.batchMax) return;
    }
  }

  async #commit(batch: Waiting<Command, Result>[]): Promise<void> {
    try {
      const commands = batch.map((waiting) => waiting.command);
      const results = await this.#db.transaction((tx) => this.#run(tx, commands));
      batch.forEach((waiting, index) => waiting.resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailableError) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      // One bad command must not fail its neighbours: each gets a transaction of its own.
      for (const waiting of batch) await this.#commit([waiting]);
    }
  }
}
