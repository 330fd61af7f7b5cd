import { existsSync, readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../lib/errors.ts';
import { replaceFile } from './files.ts';
import type { Release } from './release/release.ts';

/** Milliseconds; every running node must see a change within 5 s. */
const CHECK_MS = 1000;
/** The beginning of the second line of the file. */
const BASE_WORD = 'base ';

/** The names of the releases from which checks are answered. */
export interface InUse {
  /** The release whose scores are used first: the own crawl, or the only release. */
  current: string | undefined;
  /** The release of the whole web beside it. */
  base: string | undefined;
}

export interface OpenInUse {
  current: Release | undefined;
  base: Release | undefined;
}

/**
 * The small file that says which releases are in use: the name of the current one in its first line, and `base NAME` in
 * its second, if there is a base. Every process of the node reads it.
 */
export class InUseFile {
  readonly #path: string;
  readonly #open: (name: string) => Release;
  readonly #onError: (error: unknown) => void;
  #opened: OpenInUse = { current: undefined, base: undefined };
  /** The version of the file from which `#opened` was made. */
  #version = '';
  #checkedAt = -CHECK_MS;
  /** Why releases could not be opened at the last attempt. */
  #reported = new Set<string>();

  constructor(path: string, open: (name: string) => Release, onError: (error: unknown) => void) {
    this.#path = path;
    this.#open = open;
    this.#onError = onError;
  }

  names(): InUse {
    if (!existsSync(this.#path)) return { current: undefined, base: undefined };
    const [current = '', second = ''] = readFileSync(this.#path, 'utf8').split('\n');
    const base = second.startsWith(BASE_WORD) ? second.slice(BASE_WORD.length).trim() : '';
    return { current: current.trim() || undefined, base: base || undefined };
  }

  /** Also makes every process open the releases again, even if the names stay the same. */
  write({ current = '', base }: InUse): void {
    replaceFile(this.#path, `${current}\n${base === undefined ? '' : `${BASE_WORD}${base}\n`}`);
    this.#checkedAt = -CHECK_MS;
  }

  /**
   * The releases in use. Cheap: it checks for a change once a second. Use the result for one answer, and do not keep
   * it. While one of them can't be opened, the previous one stays.
   */
  releases(): OpenInUse {
    const now = performance.now();
    if (now - this.#checkedAt < CHECK_MS) return this.#opened;
    this.#checkedAt = now;
    // Each `write` makes a new file.
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    const version = stats ? `${stats.ino} ${stats.mtimeMs}` : '';
    if (version === this.#version) return this.#opened;
    const { current, base } = this.names();
    const faults: string[] = [];
    const open = (name: string | undefined, before: Release | undefined): Release | undefined => {
      if (name === undefined) return undefined;
      try {
        return this.#open(name);
      } catch (error) {
        // Attempted again every second, since its files may still be in the process of being copied; reported once.
        faults.push(messageOf(error));
        if (!this.#reported.has(messageOf(error))) this.#onError(error);
        return before;
      }
    };
    const opened = open(current, this.#opened.current);
    this.#opened = {
      current: opened,
      base: base === current ? opened : open(base, this.#opened.base),
    };
    if (faults.length === 0) this.#version = version;
    this.#reported = new Set(faults);
    return this.#opened;
  }

  /** Why a release in use can't be opened; undefined if all can, or if there is none. */
  fault(): string | undefined {
    const { current, base } = this.names();
    for (const name of [current, base]) {
      if (name === undefined) continue;
      try {
        this.#open(name);
      } catch (error) {
        return `release ${name} is in use but can't be opened: ${messageOf(error)}`;
      }
    }
    return undefined;
  }
}
