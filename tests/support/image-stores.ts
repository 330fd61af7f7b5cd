/** The image stores, and how to make each of them fail. */
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dialect } from '../../src/db/index.ts';
import { dialects } from './databases.ts';
import type { Gateway } from './gateway.ts';
import type { S3Double } from './s3-double.ts';

export interface ImageStoreKind {
  name: string;
  dialect: Dialect;
  s3: boolean;
}

const all: ImageStoreKind[] = [
  { name: 'disk', dialect: 'sqlite', s3: false },
  { name: 'database', dialect: 'postgres', s3: false },
  { name: 's3 with SQLite', dialect: 'sqlite', s3: true },
  { name: 's3 with PostgreSQL', dialect: 'postgres', s3: true },
];

/** On disk with SQLite, in the database with PostgreSQL, in S3 if one is configured. */
export const imageStores = all.filter(({ dialect }) => dialects.includes(dialect));

export const s3Env = ({ endpoint }: S3Double) => ({
  ZASTAVA_IMAGES_S3_BUCKET: 'pictures',
  ZASTAVA_IMAGES_S3_ENDPOINT: endpoint,
  ZASTAVA_IMAGES_S3_REGION: 'eu-north-1',
  ZASTAVA_IMAGES_S3_ACCESS_KEY_ID: 'access-key',
  ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY: 'secret-key',
});

/**
 * Makes the store fail to remove an image, whichever user runs the tests.
 * @returns a function that repairs it
 */
export async function breakStore(
  { dialect, s3 }: ImageStoreKind,
  { core, dataDir }: Gateway,
  double: S3Double,
  id: string,
): Promise<() => Promise<void>> {
  if (s3) {
    double.failWith(500);
    return () => Promise.resolve(double.failWith(200));
  }
  if (dialect === 'postgres') {
    const run = (statement: string) =>
      core.db.transaction(async (tx) => void (await tx.query(statement)));
    await run('ALTER TABLE image_bytes RENAME TO image_bytes_away');
    return () => run('ALTER TABLE image_bytes_away RENAME TO image_bytes');
  }
  // A folder in place of the file.
  const path = join(dataDir, 'images', id.slice(0, 2), id);
  await rename(path, `${path}.away`);
  await mkdir(path);
  return async () => {
    await rmdir(path);
    await rename(`${path}.away`, path);
  };
}
