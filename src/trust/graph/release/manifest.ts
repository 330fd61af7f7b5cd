import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DomainError } from '../../../lib/errors.ts';
import { suffixReadings } from '../../identity.ts';
import { replaceFile, sha256OfFile } from '../files.ts';

/** Increased when a program can't read releases written by an earlier version. */
export const RELEASE_VERSION = 1;
const MANIFEST_FILE = 'manifest.json';

const count = z.number().int().nonnegative();
const releaseFile = z.object({ path: z.string(), bytes: count, sha256: z.string() });
const columnFile = releaseFile.extend({
  name: z.string(),
  type: z.enum(['f64', 'f32', 'u32', 'u8']),
});
const badLines = z.object({
  count,
  examples: z.array(z.object({ line: count, message: z.string() })),
});

const manifestSchema = z.object({
  format: z.literal('zastava-link-graph'),
  version: z.literal(RELEASE_VERSION),
  name: z.string(),
  /** When the import ended, ISO 8601 in UTC. */
  created: z.string(),
  source: z.object({ vertices: z.string(), edges: z.string() }),
  /** The suffixes with which its names were made. Earlier versions did not record them. */
  suffixes: z.enum(suffixReadings).default('private'),
  /** The number of vertex lines whose host was folded to its domain. */
  hosts_folded: count.default(0),
  nodes: count,
  edges: count,
  left_out: z.object({
    vertex_lines: badLines,
    edge_lines: badLines,
    self_loops: count,
    repeated_edges: count,
    edges_of_skipped_vertices: count,
  }),
  /** Paths relative to the release. The files never change. */
  files: z.array(releaseFile),
  /** Arrays with one value per node; each ranking replaces them. */
  columns: z.array(columnFile),
  /** Facts about the graph as a whole; null before a ranking. */
  ranking: z.record(z.string(), z.unknown()).nullable().default(null),
  /** What its columns as a base were made from; null before it was prepared as a base. */
  base: z
    .object({
      /** The earlier release with which it was compared. */
      since: z.string().nullable(),
      /** The releases in which domains can have been first seen, oldest first; the last is this one. */
      seen: z.array(z.object({ release: z.string(), created: z.string() })),
    })
    .nullable()
    .default(null),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type LeftOut = Manifest['left_out'];
export type ReleaseFile = z.infer<typeof releaseFile>;
export type ColumnFile = z.infer<typeof columnFile>;

/** @throws DomainError `not_found` if there is no release here that this program can read */
export function readManifest(directory: string, name: string): Manifest {
  const path = join(directory, MANIFEST_FILE);
  if (!existsSync(path)) {
    const message = `there is no release ${name}: see zastava trust release list`;
    throw new DomainError('not_found', message);
  }
  const parsed = manifestSchema.safeParse(parseJson(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new DomainError(
    'not_found',
    `release ${name} was written by another version, or is damaged: import it again`,
    { cause: parsed.error },
  );
}

/** Undefined for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the manifest of a release and returns when it is on disk. */
export function writeManifest(directory: string, manifest: Manifest): void {
  replaceFile(join(directory, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Compares all files of a release with their checksums. Returns what is wrong; empty if nothing is. */
export async function findDamage(directory: string, name: string): Promise<string[]> {
  const damage: string[] = [];
  for (const file of filesOf(readManifest(directory, name))) {
    const wrongSize = sizeDamage(directory, file);
    if (wrongSize !== undefined) damage.push(wrongSize);
    else if (sha256OfFile(join(directory, file.path)) !== file.sha256) {
      damage.push(`${file.path} has changed`);
    }
    // Lets other work run between two files.
    await Bun.sleep(0);
  }
  return damage;
}

/** Compares only the sizes, which reveals the effects of an interrupted copy or a full disk. */
export function findWrongSizes(directory: string, manifest: Manifest): string[] {
  return filesOf(manifest).flatMap((file) => sizeDamage(directory, file) ?? []);
}

export function damaged(name: string, damage: string): DomainError {
  const message = `release ${name} is damaged: ${damage}; copy its directory again, or import it again`;
  return new DomainError('invalid_request', message);
}

/** Total size of a release in bytes. */
export function sizeOf(manifest: Manifest): number {
  return filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
}

function filesOf({ files, columns }: Manifest): ReleaseFile[] {
  return [...files, ...columns];
}

function sizeDamage(directory: string, { path, bytes }: ReleaseFile): string | undefined {
  const stats = statSync(join(directory, path), { throwIfNoEntry: false });
  if (!stats) return `${path} is missing`;
  return stats.size === bytes ? undefined : `${path} does not have ${bytes} bytes`;
}
