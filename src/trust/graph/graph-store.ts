import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireProcessLock } from '../../db/index.ts';
import { DomainError } from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import type { SuffixReading } from '../identity.ts';
import type { ImportOptions } from './import/import-graph.ts';
import { InUseFile, type InUse, type OpenInUse } from './in-use.ts';
import { removeStrayColumns } from './release/columns.ts';
import { damaged, findDamage, readManifest, sizeOf, type Manifest } from './release/manifest.ts';
import { Release } from './release/release.ts';

/** The name of a release is also the name of its directory. */
export const releaseNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A release in the lists of the command line and the HTTP interface. */
export interface ReleaseView {
  name: string;
  domains: number;
  links: number;
  /** The public suffixes with which its names were made. */
  suffixes: SuffixReading;
  /** ISO 8601, UTC. */
  created: string;
  /** Whether it has scores. */
  ranked: boolean;
  /** Whether checks are answered from it. */
  current: boolean;
  /** Whether it is the base, which describes the whole web beside the current one. */
  base: boolean;
}

/**
 * The releases of the link graph in one directory, of which one or two are in use. Several processes may use it at the
 * same time: one imports or ranks, others serve.
 */
export class GraphStore {
  readonly #inUse: InUseFile;
  readonly #releases: string;
  /** Separate from the releases, which are all complete. */
  readonly #imports: string;
  readonly #removed: string;
  readonly #onError: (error: unknown) => void;

  /** @param onError called if a release can't be read; the previous ones stay in use */
  constructor(directory: string, onError: (error: unknown) => void = () => undefined) {
    this.#inUse = new InUseFile(join(directory, 'current'), (name) => this.open(name), onError);
    this.#releases = join(directory, 'releases');
    this.#imports = join(directory, 'imports');
    this.#removed = join(directory, 'removed');
    this.#onError = onError;
  }

  /**
   * Imports a graph as a new release, which does not become current. After a kill, the same call resumes the import.
   * @throws DomainError if the input or the name can't be used, or another process imports this release
   */
  async importGraph(options: ImportOptions): Promise<Manifest> {
    const { name } = options;
    const target = this.#releaseDirectory(name);
    mkdirSync(this.#releases, { recursive: true });
    // Loaded when an import begins, not whenever a server starts.
    const { importGraph } = await import('./import/import-graph.ts');
    await this.exclusively(name, () => importGraph(options, join(this.#imports, name), target));
    return readManifest(target, name);
  }

  /**
   * Runs work that prevents other processes from importing, ranking or removing this release; reading stays possible.
   * The lock ends with the process, even on kill -9.
   * @param whenLocked called instead of the work while another process has the lock
   * @throws DomainError without `whenLocked`
   */
  async exclusively<T>(
    name: string,
    work: () => Promise<T>,
    whenLocked = (): T => {
      const message = `release ${name} is being imported, ranked or removed: wait for that to end`;
      throw new DomainError('invalid_request', message);
    },
  ): Promise<T> {
    checkName(name);
    mkdirSync(this.#imports, { recursive: true });
    const lock = acquireProcessLock(join(this.#imports, `${name}.lock`));
    if (lock === undefined) return whenLocked();
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  /** Complete releases, oldest first. */
  async list(): Promise<ReleaseView[]> {
    const names = await namesIn(this.#releases);
    const inUse = this.inUse();
    return names
      .flatMap((name) => {
        try {
          return [readManifest(join(this.#releases, name), name)];
        } catch (error) {
          // A damaged release must not hide the others.
          this.#onError(error);
          return [];
        }
      })
      .sort((a, b) => a.created.localeCompare(b.created))
      .map(({ name, nodes, edges, suffixes, created, ranking }) => ({
        name,
        domains: nodes,
        links: edges,
        suffixes,
        created,
        ranked: ranking !== null,
        current: name === inUse.current,
        base: name === inUse.base,
      }));
  }

  /** @throws DomainError `not_found` */
  open(name: string): Release {
    return new Release(this.#releaseDirectory(name), name);
  }

  /**
   * Makes a release current for every process, and keeps the base. After a release in use was ranked, this makes every
   * process read its new scores.
   */
  use(name: string): void {
    this.useBoth({ ...this.inUse(), current: name });
  }

  /** Changes which releases are in use. They must not be damaged: see `checked`. */
  useBoth(names: InUse): void {
    // A release that can't be opened must not be in use.
    for (const name of [names.current, names.base]) if (name !== undefined) this.open(name);
    this.#inUse.write(names);
  }

  /** The arguments of the last `use`. */
  inUse(): InUse {
    return this.#inUse.names();
  }

  /** The argument of the last `use`. */
  currentName(): string | undefined {
    return this.inUse().current;
  }

  /** The releases in use. See `InUseFile.releases`. */
  inUseNow(): OpenInUse {
    return this.#inUse.releases();
  }

  current(): Release | undefined {
    return this.inUseNow().current;
  }

  /**
   * Deletes a release, or an unfinished import of that name. Readers that have it open can continue.
   * @throws DomainError if it is current, locked or absent
   */
  remove(name: string): Promise<void> {
    return this.exclusively(name, async () => {
      const { current, base } = this.inUse();
      if (current === name || base === name) {
        const [role, way] =
          current === name
            ? ['in use', 'make another one current']
            : ['in use as the base', 'zastava trust release use --no-base'];
        throw new DomainError('invalid_request', `release ${name} is ${role}: ${way} first`);
      }
      const unfinished = join(this.#imports, name);
      const directory = this.#releaseDirectory(name);
      if (!existsSync(directory) && !existsSync(unfinished)) this.open(name);
      if (existsSync(directory)) await this.#removeWhole(directory, name);
      await rm(unfinished, { recursive: true, force: true });
    });
  }

  /**
   * Deletes what killed processes left behind: columns of rankings, partly removed releases, and abandoned imports.
   * Skips anything that another process has locked.
   * @param isAbandoned whether an unfinished import of this name will not be resumed
   */
  async tidy(isAbandoned: (name: string) => boolean = () => false): Promise<void> {
    await rm(this.#removed, { recursive: true, force: true });
    for (const { name } of await this.list()) {
      const work = () => removeStrayColumns(this.#releaseDirectory(name), name);
      await this.exclusively(name, work, leave);
    }
    for (const name of await namesIn(this.#imports)) {
      // Lock files stay.
      if (name.endsWith('.lock') || !isAbandoned(name)) continue;
      const work = () => rm(join(this.#imports, name), { recursive: true });
      await this.exclusively(name, work, leave);
    }
  }

  /** Compares all files of a release with their checksums. Returns what is wrong. */
  findDamage(name: string): Promise<string[]> {
    return findDamage(this.#releaseDirectory(name), name);
  }

  /**
   * Opens a release after comparing its files with their checksums: it may have been copied from elsewhere.
   * @param onCheck called with the number of bytes to read
   * @throws DomainError naming the first damaged file
   */
  async checked(name: string, onCheck: (bytes: number) => Promise<void>): Promise<Release> {
    const { manifest } = this.open(name);
    await onCheck(sizeOf(manifest));
    const [damage] = await this.findDamage(name);
    if (damage !== undefined) throw damaged(name, damage);
    return this.open(name);
  }

  /** Why a release in use can't be opened; undefined if all can, or if there is none. */
  currentFault(): string | undefined {
    return this.#inUse.fault();
  }

  #releaseDirectory(name: string): string {
    checkName(name);
    return join(this.#releases, name);
  }

  /** Renames the directory first, so that the releases directory contains only complete releases, even after a kill. */
  async #removeWhole(directory: string, name: string): Promise<void> {
    mkdirSync(this.#removed, { recursive: true });
    const aside = join(this.#removed, `${name}.${randomHex(4)}`);
    renameSync(directory, aside);
    await rm(aside, { recursive: true, force: true });
  }
}

const leave = (): void => undefined;

/** Empty when there is no directory; throws when it can't be read. */
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
  const message =
    'the name of a release is 1 to 64 letters, digits, ".", "_" and "-", with a letter or digit first';
  throw new DomainError('invalid_request', message);
}
