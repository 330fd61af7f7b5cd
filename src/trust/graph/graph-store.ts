import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireProcessLock, type ProcessLock } from '../../db/index.ts';
import { DomainError, messageOf } from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import { replaceFile } from './files.ts';
import type { ImportOptions } from './import/import-graph.ts';
import { removeStrayColumns } from './release/columns.ts';
import { readManifest, type Manifest } from './release/manifest.ts';
import { Release } from './release/release.ts';
import { damaged, findDamage, sizeOf } from './release/verify.ts';

/** Milliseconds; a swap must be seen by every running node within 5 s. */
const POINTER_CHECK_MS = 1000;
const POINTER_FILE = 'current';
const RELEASES_DIRECTORY = 'releases';
/** Not beside the releases: whatever stands there is complete. */
const IMPORTS_DIRECTORY = 'imports';
const REMOVED_DIRECTORY = 'removed';

/** The name of a release; it is one of a directory as well. */
export const releaseNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface ReleaseSummary {
  manifest: Manifest;
  /** Whether checks are answered from it. */
  current: boolean;
}

/**
 * The releases of the link graph under one directory, of which one is current. Several processes may use
 * it at once: one imports or ranks, others serve.
 */
export class GraphStore {
  readonly #directory: string;
  readonly #onError: (error: unknown) => void;
  #current: Release | undefined;
  /** Tells a new pointer from the one that was followed last. */
  #pointer = '';
  #checkedAt = -POINTER_CHECK_MS;
  /** Why the current release could not be opened, as it was told. */
  #told = '';

  /** @param onError told when the current release can't be opened; the one before stays current */
  constructor(directory: string, onError: (error: unknown) => void = () => undefined) {
    this.#directory = directory;
    this.#onError = onError;
  }

  /**
   * Imports a graph as a new release, which does not become current by itself. After a kill, the same call
   * goes on where it was.
   * @throws DomainError when the input or the name can't be used, or another process imports this release
   */
  async importGraph(options: ImportOptions): Promise<Manifest> {
    const { name } = options;
    const target = this.#releaseDirectory(name);
    mkdirSync(join(this.#directory, RELEASES_DIRECTORY), { recursive: true });
    // Loaded by who imports, not at every start of a server.
    const { importGraph } = await import('./import/import-graph.ts');
    await this.exclusively(name, () => importGraph(options, this.#importDirectory(name), target));
    return readManifest(target, name);
  }

  /**
   * Does what no other process may do with this release meanwhile: import, rank, remove. Readers are not
   * kept out. The lock goes with the process, also by kill -9.
   * @throws DomainError when another process has it
   */
  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lock = this.#lock(name);
    if (lock === undefined) {
      throw new DomainError(
        'invalid_request',
        `release ${name} is being imported, ranked or removed: wait for that to end`,
      );
    }
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  /** Complete releases, the oldest first. */
  async list(): Promise<ReleaseSummary[]> {
    const directory = join(this.#directory, RELEASES_DIRECTORY);
    const names = await namesIn(directory);
    const current = this.currentName();
    return names
      .flatMap((name) => {
        try {
          return [readManifest(join(directory, name), name)];
        } catch (error) {
          // One that is damaged does not hide the others.
          this.#onError(error);
          return [];
        }
      })
      .sort((a, b) => a.created.localeCompare(b.created))
      .map((manifest) => ({ manifest, current: manifest.name === current }));
  }

  /** @throws DomainError `not_found` */
  open(name: string): Release {
    return new Release(this.#releaseDirectory(name), name);
  }

  /** Makes a release current, for every process; also after a new ranking of the current one. */
  use(name: string): void {
    // Opened first: what can't be opened must not become current.
    this.open(name);
    replaceFile(join(this.#directory, POINTER_FILE), `${name}\n`);
    this.#checkedAt = -POINTER_CHECK_MS;
  }

  /** What `use` named last. */
  currentName(): string | undefined {
    const path = join(this.#directory, POINTER_FILE);
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
  }

  /**
   * The current release; undefined when there is none. Cheap: whether another process has swapped it is
   * looked at once a second. Hold the result for as long as one answer takes, not longer.
   */
  current(): Release | undefined {
    const now = performance.now();
    if (now - this.#checkedAt < POINTER_CHECK_MS) return this.#current;
    this.#checkedAt = now;
    const pointer = this.#pointerVersion();
    if (pointer === this.#pointer) return this.#current;
    try {
      const name = this.currentName();
      this.#current = name === undefined ? undefined : this.open(name);
      this.#pointer = pointer;
      this.#told = '';
    } catch (error) {
      // Tried again each second, since its files may still come; told once.
      const fault = `${pointer} ${messageOf(error)}`;
      if (fault !== this.#told) this.#onError(error);
      this.#told = fault;
    }
    return this.#current;
  }

  /**
   * Deletes a release, or an import of that name that never came to its end. Who holds the release reads on.
   * @throws DomainError when it is current, being worked on or not there
   */
  remove(name: string): Promise<void> {
    return this.exclusively(name, async () => {
      if (this.currentName() === name) {
        throw new DomainError(
          'invalid_request',
          `release ${name} is in use: use another one first`,
        );
      }
      const unfinished = this.#importDirectory(name);
      const directory = this.#releaseDirectory(name);
      if (!existsSync(directory) && !existsSync(unfinished)) this.open(name);
      if (existsSync(directory)) await this.#removeWhole(directory, name);
      await rm(unfinished, { recursive: true, force: true });
    });
  }

  /**
   * Deletes what killed processes left and none will go on with: columns of a ranking, what was left of a
   * removal, and imports that are given up. What another process works on is left alone.
   * @param isGivenUp by the name of an unfinished import
   */
  async tidy(isGivenUp: (name: string) => boolean = () => false): Promise<void> {
    await rm(join(this.#directory, REMOVED_DIRECTORY), { recursive: true, force: true });
    for (const { manifest } of await this.list()) {
      const { name } = manifest;
      await this.#ifFree(name, () => removeStrayColumns(this.#releaseDirectory(name), name));
    }
    for (const name of await namesIn(join(this.#directory, IMPORTS_DIRECTORY))) {
      // Beside each import stands its lock, which stays.
      if (name.endsWith('.lock') || !isGivenUp(name)) continue;
      await this.#ifFree(name, () => rm(this.#importDirectory(name), { recursive: true }));
    }
  }

  /** Compares all files of a release with their checksums. Empty when all is well. */
  findDamage(name: string): Promise<string[]> {
    return findDamage(this.#releaseDirectory(name), name);
  }

  /**
   * Makes a release current that came from elsewhere, once all of it is as it was written.
   * @param onCheck told how many bytes are read for that
   * @throws DomainError naming the first file that is not, or when it has no scores
   */
  async useChecked(name: string, onCheck: (bytes: number) => Promise<void>): Promise<void> {
    const { manifest } = this.open(name);
    // Without scores it would take the verdicts of the one in use away.
    if (manifest.ranking === null) {
      throw new DomainError(
        'invalid_request',
        `${name} has no scores yet: zastava trust rank --release ${name}`,
      );
    }
    await onCheck(sizeOf(manifest));
    const [damage] = await this.findDamage(name);
    if (damage !== undefined) throw damaged(name, damage);
    this.use(name);
  }

  /** Why the release that is in use can't be opened; undefined while it can, or when none is in use. */
  currentFault(): string | undefined {
    const name = this.currentName();
    if (name === undefined) return undefined;
    try {
      this.open(name);
      return undefined;
    } catch (error) {
      return `release ${name} is in use but can't be opened: ${messageOf(error)}`;
    }
  }

  #releaseDirectory(name: string): string {
    checkName(name);
    return join(this.#directory, RELEASES_DIRECTORY, name);
  }

  #importDirectory(name: string): string {
    return join(this.#directory, IMPORTS_DIRECTORY, name);
  }

  #lock(name: string): ProcessLock | undefined {
    checkName(name);
    const imports = join(this.#directory, IMPORTS_DIRECTORY);
    mkdirSync(imports, { recursive: true });
    return acquireProcessLock(join(imports, `${name}.lock`));
  }

  async #ifFree(name: string, work: () => Promise<void>): Promise<void> {
    const lock = this.#lock(name);
    try {
      if (lock) await work();
    } finally {
      lock?.release();
    }
  }

  /** Renamed first: what stands among the releases is whole, also after a kill. */
  async #removeWhole(directory: string, name: string): Promise<void> {
    const removed = join(this.#directory, REMOVED_DIRECTORY);
    mkdirSync(removed, { recursive: true });
    const aside = join(removed, `${name}.${randomHex(4)}`);
    renameSync(directory, aside);
    await rm(aside, { recursive: true, force: true });
  }

  /** Each swap makes a new file. */
  #pointerVersion(): string {
    const stats = statSync(join(this.#directory, POINTER_FILE), { throwIfNoEntry: false });
    return stats ? `${stats.ino} ${stats.mtimeMs}` : '';
  }
}

/** Nothing where there is no directory; one that can't be read is no empty one. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function checkName(name: string): void {
  if (releaseNamePattern.test(name)) return;
  throw new DomainError(
    'invalid_request',
    'the name of a release is 1 to 64 letters, digits, ".", "_" and "-", with a letter or digit first',
  );
}
