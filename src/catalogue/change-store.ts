import type { Act } from '../audit/index.ts';
import { raiseCounter, writeSetting } from '../db/index.ts';
import { formatChange } from './changes.ts';
import type { Plan } from './plan.ts';
import {
  lockCatalogue,
  readNow,
  readRevision,
  REVISION,
  SANDBOX,
  writeModels,
  writeProvider,
  type Planned,
  type Stored,
  type StoreParts,
} from './store.ts';
import { writeBindings } from './stored-bindings.ts';

/**
 * Plans and writes a change, as a whole or not at all. The plan is made before the transaction, so that other writers
 * do not wait for it, and again whenever another change was written meanwhile.
 * @param act recorded if anything changes
 */
export async function changeStored<T extends Planned | undefined>(
  parts: StoreParts,
  plan: (stored: Stored) => T | Promise<T>,
  act?: Act,
): Promise<T> {
  for (;;) {
    const stored = await readNow(parts);
    const planned = await plan(stored);
    const isDone = !planned || (isEmpty(planned.plan) && !planned.bindings);
    if (isDone || (await write(parts, stored, planned, act))) return planned;
  }
}

/** @returns false if the catalogue is no longer the one that the plan was made for: nothing was written */
function write(
  { db, clock, secrets }: StoreParts,
  { revision, lastId }: Stored,
  planned: Planned,
  act: Act | undefined,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    if ((await readRevision(tx)) !== revision) return false;
    if (planned.bindings) await writeBindings(tx, planned.bindings);
    if (isEmpty(planned.plan)) return true;
    if (planned.lastId > lastId) await raiseCounter(tx, 'models', planned.lastId);
    const { sandbox } = planned.plan;
    if (sandbox !== undefined) {
      await writeSetting(tx, SANDBOX, sandbox === 'on' ? 'everybody' : (sandbox ?? 'default'));
    }
    for (const provider of planned.plan.providers) {
      await writeProvider(tx, provider, secrets, clock.now());
    }
    await writeModels(tx, planned.plan.models, clock.now());
    // Makes all nodes reload the catalogue.
    await tx.query(
      'UPDATE settings SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = $1',
      [REVISION],
    );
    await act?.record(tx, {
      before: { revision },
      after: { revision: revision + 1 },
      changes: planned.plan.changes.map(formatChange),
    });
    return true;
  });
}

export function isEmpty({ sandbox, providers, models }: Plan): boolean {
  return sandbox === undefined && providers.length === 0 && models.length === 0;
}
