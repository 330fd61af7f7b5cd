import { DatabaseUnavailableError } from '../lib/errors.ts';
import { type Database, type Tx } from './database.ts';

/** A batch is written after this many turns of the event loop without a new command. */
const QUIET_TURNS = 3;
/** The most turns that a batch waits for: a steady trickle of commands must not delay it. */
const GATHER_TURNS_MAX = 64;

export interface GroupCommitLimits {
  /** The most commands in one transaction. */
  batchMax: number;
  /** The most commands that wait for a transaction. */
  queueMax: number;
}

interface Waiting<Command, Result> {
  command: Command;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: commands that arrive while a transaction runs are written together by the next one. They share the cost
 * of its commit (a flush to disk, a round trip), so the cost per command falls as load grows.
 */
export class GroupCommit<Command, Result> {
  readonly #db: Database;
  readonly #run: (tx: Tx, commands: Command[]) => Promise<Result[]>;
  readonly #limits: GroupCommitLimits;
  readonly #observe: (batchSize: number) => void;
  #queue: Waiting<Command, Result>[] = [];
  #running = false;
  #idle: (() => void)[] = [];

  /** @param run writes a batch inside one transaction, and returns one result per command, in order */
  constructor(
    db: Database,
    run: (tx: Tx, commands: Command[]) => Promise<Result[]>,
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

  /** True when the queue is full. The caller must refuse new work then. */
  get full(): boolean {
    return this.#queue.length >= this.#limits.queueMax;
  }

  /** Resolves after the command's effects are committed, rejects after they were rolled back. */
  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      void this.#drain();
    });
  }

  /** Resolves when no command waits or runs. */
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
   * Lets the event loop turn while more commands arrive, so that they join the batch. On SQLite nothing else here
   * yields to I/O. A single caller loses only a few microseconds.
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
      // A bad command must not make the others fail: each runs again in a separate transaction.
      for (const waiting of batch) await this.#commit([waiting]);
    }
  }
}
