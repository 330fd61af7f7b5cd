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

/** What the database holds, and the largest fresh id of a model that was given so far. */
export interface Stored {
  catalogue: StoredCatalogue;
  lastId: number;
}

/** What has to be written, and the largest fresh id afterwards. */
export interface Planned {
  plan: Plan;
  lastId: number;
}

interface RowsParts {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
}

/** The stored catalogue, as it is planned on and written: one writer after the other, of all processes. */
export class CatalogueRows {
  readonly #parts: RowsParts;

  constructor(parts: RowsParts) {
    this.#parts = parts;
  }

  /** What would be done now; nothing is. */
  plan<T>(plan: (stored: Stored) => T): Promise<T> {
    return this.#parts.db.snapshot(async (sql) => plan(await this.#read(sql)));
  }

  /** Does what is planned, all of it or nothing. */
  change<T extends Planned | undefined>(
    plan: (stored: Stored, tx: Tx) => T | Promise<T>,
  ): Promise<T> {
    const { db, secrets, clock } = this.#parts;
    return db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const stored = await this.#read(tx);
      const made = await plan(stored, tx);
      if (!made || isEmpty(made.plan)) return made;
      if (made.lastId > stored.lastId) await raiseCounter(tx, 'models', made.lastId);
      await writePlan(tx, made.plan, secrets, clock.now());
      await raiseRevision(tx);
      return made;
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
