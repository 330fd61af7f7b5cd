import { raiseCounter, type Database, type Sql, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Plan, StoredCatalogue } from './plan.ts';
import {
  lockCatalogue,
  raiseRevision,
  readCatalogue,
  readLastModelId,
  writePlan,
} from './store.ts';

/** The stored catalogue, and the largest model id that was assigned so far. */
export interface Stored {
  catalogue: StoredCatalogue;
  lastId: number;
}

/** What to write, and the largest assigned model id afterwards. */
export interface Planned {
  plan: Plan;
  lastId: number;
}

interface RowsParts {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
}

/** Reads and changes the stored catalogue. Changes by any process run one after another. */
export class CatalogueRows {
  readonly #parts: RowsParts;

  constructor(parts: RowsParts) {
    this.#parts = parts;
  }

  /** Plans without writing. */
  plan<T>(plan: (stored: Stored) => T): Promise<T> {
    return this.#parts.db.snapshot(async (sql) => plan(await this.#read(sql)));
  }

  /** Plans and writes, as a whole or not at all. */
  change<T extends Planned | undefined>(
    plan: (stored: Stored, tx: Tx) => T | Promise<T>,
  ): Promise<T> {
    const { db, secrets, clock } = this.#parts;
    return db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const stored = await this.#read(tx);
      const planned = await plan(stored, tx);
      if (!planned || isEmpty(planned.plan)) return planned;
      if (planned.lastId > stored.lastId) await raiseCounter(tx, 'models', planned.lastId);
      await writePlan(tx, planned.plan, secrets, clock.now());
      await raiseRevision(tx);
      return planned;
    });
  }

  async #read(sql: Sql): Promise<Stored> {
    const catalogue = await readCatalogue(sql, this.#parts.secrets);
    return { catalogue, lastId: await readLastModelId(sql) };
  }
}

/** True for a plan that writes nothing. */
export function isEmpty({ providers, models }: Plan): boolean {
  return providers.length === 0 && models.length === 0;
}
