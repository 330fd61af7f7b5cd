import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '../../../lib/ids.ts';
import { bytesOf, sha256OfFile, writeFile } from '../files.ts';
import { readManifest, writeManifest, type ColumnFile, type Manifest } from './manifest.ts';

/** One value per node. */
export type Column = Float64Array | Float32Array | Uint32Array | Uint8Array;

/** Columns whose names begin like this are those of a base; all others are those of the ranking. */
const BASE_PREFIX = 'base_';

/**
 * Replaces the columns of a ranking or those of a base, all at once; the other group stays. A release opened afterwards
 * has the new columns; an open one keeps its own.
 * @param facts about the graph as a whole, stored with the columns
 */
export function writeColumns(
  directory: string,
  name: string,
  columns: Readonly<Record<string, Column>>,
  facts: Pick<Manifest, 'ranking'> | Pick<Manifest, 'base'>,
): void {
  const manifest = readManifest(directory, name);
  const written = Object.entries(columns).map(([column, values]) =>
    writeColumn(directory, column, values, manifest.nodes),
  );
  const isOfBase = 'base' in facts;
  const isReplaced = (column: ColumnFile) => column.name.startsWith(BASE_PREFIX) === isOfBase;
  const kept = manifest.columns.filter((column) => !isReplaced(column));
  writeManifest(directory, { ...manifest, columns: [...kept, ...written], ...facts });
  for (const { path } of manifest.columns.filter(isReplaced)) {
    rmSync(join(directory, path), { force: true });
  }
}

/** Removes columns that the manifest does not name: a ranking that was killed left them. */
export async function removeStrayColumns(directory: string, name: string): Promise<void> {
  const { columns } = readManifest(directory, name);
  const known = new Set(columns.map(({ path }) => path));
  for await (const path of new Bun.Glob('column.*').scan(directory)) {
    if (!known.has(path)) await rm(join(directory, path), { force: true });
  }
}

function writeColumn(directory: string, name: string, values: Column, nodes: number): ColumnFile {
  if (values.length !== nodes) {
    throw new Error(`column ${name} has ${values.length} values for ${nodes} nodes`);
  }
  const type = typeOf(values);
  // A new file name each time: the manifest says which file contains the column.
  const path = `column.${name}.${randomHex(4)}.${type}`;
  writeFile(join(directory, path), bytesOf(values));
  const sha256 = sha256OfFile(join(directory, path));
  return { name, type, path, bytes: values.byteLength, sha256 };
}

function typeOf(values: Column): ColumnFile['type'] {
  if (values instanceof Float64Array) return 'f64';
  if (values instanceof Float32Array) return 'f32';
  return values instanceof Uint32Array ? 'u32' : 'u8';
}
