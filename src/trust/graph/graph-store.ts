import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireProcessLock } from '../../db/index.ts';
import { DomainError } from '../../lib/errors.ts';
import { replaceFile } from './files.ts';
import { importGraph, type ImportOptions } from './import/import-graph.ts';
import { readManifest, type Manifest } from './release/manifest.ts';
import { Release } from './release/release.ts';
import { findDamage } from './release/verify.ts';

/** Milliseconds; a swap must be seen by every running node within 5 s. */
const POINTER_CHECK_MS = 1000;
const POINTER_FILE = 'current';
const RELEASES_DIRECTORY = 'releases';
/** Not beside the releases: whatever stands there is complete. */
const IMPORTS_DIRECTORY = 'imports';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

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
    const imports = join(this.#directory, IMPORTS_DIRECTORY);
    mkdirSync(imports, { recursive: true });
    mkdirSync(join(this.#directory, RELEASES_DIRECTORY), { recursive: true });
    const lock = acquireProcessLock(join(imports, `${name}.lock`));
    if (lock === undefined) {
      throw new DomainError('invalid_request', `release ${name} is being imported already`);
    }
    try {
      await importGraph(options, join(imports, name), target);
    } finally {
      lock.release();
    }
    return readManifest(target, name);
  }

  /** Complete releases, the oldest first. */
  async list(): Promise<ReleaseSummary[]> {
    const directory = join(this.#directory, RELEASES_DIRECTORY);
    const names = existsSync(directory) ? await readdir(directory) : [];
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
    } catch (error) {
      this.#onError(error);
    }
    return this.#current;
  }

  /** @throws DomainError when it is current or not there */
  async remove(name: string): Promise<void> {
    if (this.currentName() === name) {
      throw new DomainError('invalid_request', `release ${name} is in use: use another one first`);
    }
    this.open(name);
    await rm(this.#releaseDirectory(name), { recursive: true });
  }

  /** Compares all files of a release with their checksums. Empty when all is well. */
  findDamage(name: string): Promise<string[]> {
    return findDamage(this.#releaseDirectory(name), name);
  }

  #releaseDirectory(name: string): string {
    if (!namePattern.test(name)) {
      throw new DomainError(
        'invalid_request',
        'the name of a release is 1 to 64 letters, digits, ".", "_" and "-", with a letter or digit first',
      );
    }
    return join(this.#directory, RELEASES_DIRECTORY, name);
  }

  /** Each swap makes a new file. */
  #pointerVersion(): string {
    const stats = statSync(join(this.#directory, POINTER_FILE), { throwIfNoEntry: false });
    return stats ? `${stats.ino} ${stats.mtimeMs}` : '';
  }
}
