import { lruCache } from '../lib/lru-cache.ts';
import type { Database } from '../db/index.ts';
import { toUnixSeconds } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { modelChanges, type FieldChange } from './changes.ts';
import {
  fromSnapshot,
  toView,
  type CatalogueModel,
  type ModelVersion,
  type ModelView,
} from './model.ts';

export interface DatedVersion {
  id: number;
  validFrom: number;
  view: ModelView;
  /** What the version changed; empty for the first version. */
  fields: FieldChange[];
}

/** A version as JSON. */
export function versionView({ id, validFrom, view, fields }: DatedVersion) {
  return { version: id, valid_from: toUnixSeconds(validFrom), model: view, fields };
}

const VERSIONS_CACHED_MAX = 10_000;

/**
 * Versions of models. Those in use are in memory: an answer that was charged refers to its version, and must not fail
 * because of one more read.
 */
export class Versions {
  readonly #db: Database;
  #current: ReadonlyMap<number, ModelVersion> = new Map();
  readonly #former = lruCache<number, ModelVersion>(VERSIONS_CACHED_MAX);

  constructor(db: Database) {
    this.#db = db;
  }

  /** A version; returned synchronously if it is in memory. @throws `not_found` */
  get(versionId: number): ModelVersion | Promise<ModelVersion> {
    return this.#current.get(versionId) ?? this.#former.get(versionId) ?? this.#read(versionId);
  }

  async #read(versionId: number): Promise<ModelVersion> {
    const [row] = await this.#db.query<{ model_id: number; snapshot: string }>(
      'SELECT model_id, snapshot FROM model_versions WHERE id = $1',
      [versionId],
    );
    if (!row) throw new DomainError('not_found', `there is no model version ${versionId}`);
    const facts = fromSnapshot(row.snapshot);
    const view = toView(row.model_id, facts);
    const version = versionOf({ ...facts, versionId, id: row.model_id, view });
    this.#former.set(versionId, version);
    return version;
  }

  /** The versions of a model, newest first, each with what it changed. @param before only versions with a smaller id */
  async list(modelId: number, limit: number, before?: number): Promise<DatedVersion[]> {
    const rows = await this.#db.query<{ id: number; snapshot: string; valid_from: number }>(
      `SELECT id, snapshot, valid_from FROM model_versions
       WHERE model_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
      // One more row, to compare the oldest version with.
      [modelId, before ?? Number.MAX_SAFE_INTEGER, limit + 1],
    );
    const facts = rows.map(({ snapshot }) => fromSnapshot(snapshot));
    return rows.slice(0, limit).flatMap(({ id, valid_from: validFrom }, index) => {
      const [now, former] = [facts[index], facts[index + 1]];
      if (!now) return [];
      const fields = former ? modelChanges(former, now) : [];
      return [{ id, validFrom, view: toView(modelId, now), fields }];
    });
  }

  /** @param models the models in use from now on */
  use(models: Iterable<CatalogueModel>): void {
    const current = new Map<number, ModelVersion>();
    for (const model of models) current.set(model.versionId, versionOf(model));
    // A running call may still use a version that is now replaced.
    for (const [id, version] of this.#current) {
      if (!current.has(id)) this.#former.set(id, version);
    }
    this.#current = current;
  }
}

function versionOf({
  id: modelId,
  versionId: id,
  view,
  price,
  hours,
}: Pick<CatalogueModel, 'id' | 'versionId' | 'view' | 'price' | 'hours'>): ModelVersion {
  return { id, modelId, view, price, ...(hours && { hours }) };
}
