import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireProcessLock } from '../../db/index.ts';
import { DomainError, messageOf } from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import type { SuffixReading } from '../identity.ts';
import { replaceFile } from './files.ts';
import type { ImportOptions } from './import/import-graph.ts';
import { removeStrayColumns } from './release/columns.ts';
import { damaged, findDamage, readManifest, sizeOf, type Manifest } from './release/manifest.ts';
import { Release } from './release/release.ts';

/** Milliseconds; every running node must see a new current release within 5 s. */
const POINTER_CHECK_MS = 1000;

/** The name of a release is also that of its directory. */
export const releaseNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A release in the lists of the command line and the HTTP interface. */
export interface ReleaseView {
  name: string;
  domains: number;
  links: number;
  /** The public suffixes that its names were made with. */
  suffixes: SuffixReading;
  /** ISO 8601, UTC. */
  created: string;
  /** Whether it has scores. */
  ranked: boolean;
  /** Whether checks are answered from it. */
  current: boolean;
}

/**
 * The releases of the link graph in one directory, one of which is current. Several processes may use it at the same
 * time: one imports or ranks, others serve.
 */
export class GraphStore {
  /** Holds the name of the current release. */
  readonly #pointerFile: string;
  readonly #releases: string;
  /** Apart from the releases, which are all complete. */
  readonly #imports: string;
  readonly #removed: string;
  readonly #onError: (error: unknown) => void;
  #current: Release | undefined;
  /** Version of the pointer that `#current` was opened by. */
  #pointer = '';
  #checkedAt = -POINTER_CHECK_MS;
  /** The last reported reason why the current release could not be opened. */
  #reported = '';

  /** @param onError called when a release can't be read; the previous one stays current */
  constructor(directory: string, onError: (error: unknown) => void = () => undefined) {
    this.#pointerFile = join(directory, 'current');
    this.#releases = join(directory, 'releases');
    this.#imports = join(directory, 'imports');
    this.#removed = join(directory, 'removed');
    this.#onError = onError;
  }

  /**
   * Imports a graph as a new release, which does not become current. After a kill, the same call resumes the import.
   * @throws DomainError when the input or the name can't be used, or another process imports this release
   */
  async importGraph(options: ImportOptions): Promise<Manifest> {
    const { name } = options;
    const target = this.#releaseDirectory(name);
    mkdirSync(this.#releases, { recursive: true });
    // Loaded when an import begins, not at every start of a server.
    const { importGraph } = await import('./import/import-graph.ts');
    await this.exclusively(name, () => importGraph(options, join(this.#imports, name), target));
    return readManifest(target, name);
  }

  /**
   * Runs work that excludes other processes from importing, ranking or removing this release; readers are not excluded.
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
    const current = this.currentName();
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
        current: name === current,
      }));
  }

  /** @throws DomainError `not_found` */
  open(name: string): Release {
    return new Release(this.#releaseDirectory(name), name);
  }

  /** Makes a release current for every process; also needed after ranking the current one again. */
  use(name: string): void {
    // A release that can't be opened must not become current.
    this.open(name);
    replaceFile(this.#pointerFile, `${name}\n`);
    this.#checkedAt = -POINTER_CHECK_MS;
  }

  /** The argument of the last `use`. */
  currentName(): string | undefined {
    if (!existsSync(this.#pointerFile)) return undefined;
    return readFileSync(this.#pointerFile, 'utf8').trim();
  }

  /**
   * The current release; undefined when there is none. Cheap: it checks for a change once a second. Use the result for one
   * answer, and do not keep it.
   */
  current(): Release | undefined {
    const now = performance.now();
    if (now - this.#checkedAt < POINTER_CHECK_MS) return this.#current;
    this.#checkedAt = now;
    // Each `use` makes a new file.
    const stats = statSync(this.#pointerFile, { throwIfNoEntry: false });
    const pointer = stats ? `${stats.ino} ${stats.mtimeMs}` : '';
    if (pointer === this.#pointer) return this.#current;
    try {
      const name = this.currentName();
      this.#current = name === undefined ? undefined : this.open(name);
      this.#pointer = pointer;
      this.#reported = '';
    } catch (error) {
      // Attempted again each second, since its files may still be copied; reported once.
      const fault = `${pointer} ${messageOf(error)}`;
      if (fault !== this.#reported) this.#onError(error);
      this.#reported = fault;
    }
    return this.#current;
  }

  /**
   * Deletes a release, or an unfinished import of that name. Readers that have it open keep reading.
   * @throws DomainError when it is current, locked or absent
   */
  remove(name: string): Promise<void> {
    return this.exclusively(name, async () => {
      if (this.currentName() === name) {
        const message = `release ${name} is in use: make another one current first`;
        throw new DomainError('invalid_request', message);
      }
      const unfinished = join(this.#imports, name);
      const directory = this.#releaseDirectory(name);
      if (!existsSync(directory) && !existsSync(unfinished)) this.open(name);
      if (existsSync(directory)) await this.#removeWhole(directory, name);
      await rm(unfinished, { recursive: true, force: true });
    });
  }

  /**
   * Deletes leftovers of killed processes: columns of rankings, partly removed releases, and abandoned imports. Leaves alone
   * what another process has locked.
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
   * Makes a release current after comparing its files with their checksums: it may have been copied from elsewhere.
   * @param onCheck called with the number of bytes to read
   * @throws DomainError with the first damaged file, or when the release has no scores
   */
  async useChecked(name: string, onCheck: (bytes: number) => Promise<void>): Promise<void> {
    const { manifest } = this.open(name);
    // Without scores, no site would have a verdict any more.
    if (manifest.ranking === null) {
      const message = `${name} has no scores yet: zastava trust rank --release ${name}`;
      throw new DomainError('invalid_request', message);
    }
    await onCheck(sizeOf(manifest));
    const [damage] = await this.findDamage(name);
    if (damage !== undefined) throw damaged(name, damage);
    this.use(name);
  }

  /** Why the current release can't be opened; undefined when it can, or when there is none. */
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
    return join(this.#releases, name);
  }

  /** Renames first, so that the releases directory holds only complete releases, even after a kill. */
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
