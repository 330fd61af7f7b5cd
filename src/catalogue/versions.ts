import { lruCache } from '../lib/lru-cache.ts';
import type { Database } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';
import { fromSnapshot, toView, type CatalogueModel, type ModelVersion } from './model.ts';

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

  /** A version, at once if it is in memory. @throws `not_found` */
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
    const version = { id: versionId, modelId: row.model_id, view, price: facts.price };
    this.#former.set(versionId, version);
    return version;
  }

  /** @param models the models in use from now on */
  use(models: Iterable<CatalogueModel>): void {
    const current = new Map<number, ModelVersion>();
    for (const { id, versionId, view, price } of models) {
      current.set(versionId, { id: versionId, modelId: id, view, price });
    }
    // A call may still be running with a version that is replaced now.
    for (const [id, version] of this.#current) {
      if (!current.has(id)) this.#former.set(id, version);
    }
    this.#current = current;
  }
}
