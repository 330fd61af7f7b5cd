import {
  acquireProcessLock,
  installationName,
  nextNumber,
  serverLockFile,
  type Database,
  type ProcessLock,
} from '../../db/index.ts';
import { chore } from '../../lib/chore.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Silence } from '../../lib/silence.ts';
import type { Recovery } from './recovery.ts';

/** How often a node shows that it is alive, and checks the others. */
const BEAT_MS = 5_000;
/** A node whose beat has not changed for this long is dead. */
const SILENCE_MS = 30_000;
/** Processes that can share one data directory on PostgreSQL. */
const SLOTS_MAX = 64;
/** The beat of a node that is not listed. */
const UNLISTED = -1;

export interface NodeLeaseParts {
  db: Database;
  clock: Clock;
  log: Log;
  recovery: Recovery;
  dataDir: string;
}

/**
 * This process's claim on the holds that it takes. A slot of the data directory is locked for the life of the process,
 * so the next process in that slot knows that the former one is dead, and closes its open messages at once. Other nodes
 * close them after a silence. So does this one after a restart of the machine or a copy of the data directory: then the
 * lock proves nothing, since the process with the other lock may be alive.
 */
export class NodeLease {
  readonly #parts: NodeLeaseParts;
  readonly #slot: string;
  readonly #lock: ProcessLock;
  readonly #silence: Silence;
  #id = 0;
  #timer: Timer | undefined;
  readonly #beatSafely: () => Promise<void>;
  #round: Promise<void> = Promise.resolve();

  private constructor(parts: NodeLeaseParts, slot: string, lock: ProcessLock) {
    this.#parts = parts;
    this.#slot = slot;
    this.#lock = lock;
    this.#silence = new Silence(parts.clock, SILENCE_MS);
    this.#beatSafely = chore('the beat of this node', parts, () => this.#beatOnce());
  }

  /**
   * Takes a slot, closes what the slot's former process left, and begins to beat.
   * @throws when the SQLite data directory is already served by another process
   */
  static async start(parts: NodeLeaseParts): Promise<NodeLease> {
    const installation = await installationName(parts.dataDir);
    const slots = parts.db.dialect === 'sqlite' ? 1 : SLOTS_MAX;
    for (let number = 0; number < slots; number++) {
      const lock = acquireProcessLock(serverLockFile(parts.dataDir, number));
      if (!lock) continue;
      const lease = new NodeLease(parts, `${installation}/${number}@${lock.place}`, lock);
      await lease.#takeOver();
      lease.#timer = setInterval(() => void lease.beat(), BEAT_MS);
      return lease;
    }
    throw new Error(
      `another zastava serves the data directory ${parts.dataDir}: stop it, or set ZASTAVA_DATA_DIR to another`,
    );
  }

  get id(): number {
    return this.#id;
  }

  async #takeOver(): Promise<void> {
    const { db, recovery, log } = this.#parts;
    // On SQLite this process is alone: any other node is dead, also one that came with a restored backup.
    const former =
      db.dialect === 'sqlite'
        ? await this.#nodes()
        : await db.query<{ id: number }>('SELECT id FROM nodes WHERE slot = $1', [this.#slot]);
    await this.#register();
    for (const { id } of former) {
      const voided = await recovery.recoverNode(id);
      await this.#forget(id);
      log.info({ node: id, voided }, 'closed what the former process left');
    }
  }

  async #register(): Promise<void> {
    this.#id = await this.#parts.db.transaction(async (tx) => {
      const id = await nextNumber(tx, 'nodes');
      await tx.query('INSERT INTO nodes (id, slot, beat) VALUES ($1, $2, 0)', [id, this.#slot]);
      return id;
    });
  }

  async #forget(id: number): Promise<void> {
    this.#silence.forget(id);
    await this.#parts.db.transaction((tx) => tx.query('DELETE FROM nodes WHERE id = $1', [id]));
  }

  /**
   * One round, started by the timer: shows that this node is alive, and closes messages that it lost or that dead
   * nodes left open. Rounds run one after the other, and never throw.
   */
  beat(): Promise<void> {
    this.#round = this.#round.then(this.#beatSafely);
    return this.#round;
  }

  async #beatOnce(): Promise<void> {
    const { db, recovery, log } = this.#parts;
    const [own] = await db.transaction((tx) =>
      tx.query('UPDATE nodes SET beat = beat + 1 WHERE id = $1 RETURNING id', [this.#id]),
    );
    if (!own) {
      log.error({ node: this.#id }, 'another node took this one for dead; registering anew');
      await this.#register();
    }
    await recovery.sweepOwn(this.#id);
    const nodes = await this.#nodes();
    for (const node of nodes) {
      if (node.id === this.#id || !this.#silence.isSilent(node)) continue;
      const voided = await recovery.recoverNode(node.id);
      await this.#forget(node.id);
      // This node may still have to settle any message of an unlisted number, so the number is looked at again.
      if (voided === 0 && node.beat === UNLISTED) continue;
      log.warn({ node: node.id, voided }, 'closed what a dead node left');
    }
  }

  /**
   * All nodes, and unlisted numbers that still have open messages: a node that was taken for dead may have taken a hold
   * at that moment under its old number. The beat of an unlisted number never changes.
   */
  #nodes(): Promise<{ id: number; beat: number }[]> {
    return this.#parts.db.query<{ id: number; beat: number }>(
      `SELECT id, beat FROM nodes UNION ALL
       SELECT DISTINCT node_id, ${UNLISTED} FROM messages
       WHERE state = 'pending' AND node_id NOT IN (SELECT id FROM nodes)`,
    );
  }

  /** Ends the claim. Call it when no send runs any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#forget(this.#id).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'could not sign off; the next start closes the rest');
    });
    this.#lock.release();
  }
}
