import type { Database } from '../db/index.ts';
import type { BlobStore } from './images.ts';

/** Stores images as rows, so that every node of a PostgreSQL installation can serve them. */
export class DatabaseStore implements BlobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('INSERT INTO image_bytes (id, data) VALUES ($1, $2)', [id, bytes]),
    );
  }

  async get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const [row] = range
      ? await this.#db.query<{ data: Uint8Array }>(
          `SELECT substr(data, CAST($2 AS INTEGER), CAST($3 AS INTEGER)) AS data
           FROM image_bytes WHERE id = $1`,
          [id, range.start + 1, range.end - range.start],
        )
      : await this.#db.query<{ data: Uint8Array }>('SELECT data FROM image_bytes WHERE id = $1', [
          id,
        ]);
    return row && new Uint8Array(row.data);
  }

  async remove(id: string): Promise<void> {
    await this.#db.transaction((tx) => tx.query('DELETE FROM image_bytes WHERE id = $1', [id]));
  }
}
