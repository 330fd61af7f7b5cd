import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** The byte of the file `-shm` that the writer locks (`WAL_WRITE_LOCK` in SQLite's sources). */
const WRITE_LOCK_BYTE = 120;
/** Skips locks of processes in other PID namespaces, whose PID is 0 here. */
const locks =
  /^\d+: POSIX +ADVISORY +WRITE +([1-9]\d*) ([0-9a-f]+):([0-9a-f]+):(\d+) (\d+) (\d+)$/gm;

export interface LockHolder {
  pid: number;
  /** The name of its program, with its command if it is Zastava, such as `user add`; undefined if it can't be read. */
  command: string | undefined;
}

/**
 * The process that holds the write lock of a SQLite database in WAL mode.
 * @returns undefined if it is not known: on systems other than Linux, in another container, or if nobody holds it
 */
export function lockHolder(database: string): LockHolder | undefined {
  try {
    // Never open this file here: closing it would release all locks that this process has on it.
    const { dev, ino } = statSync(`${database}-shm`);
    for (const [, pid, major, minor, inode, first, last] of readLocks()) {
      const isHere = Number(inode) === ino && deviceOf(major, minor) === dev;
      const isWrite = Number(first) <= WRITE_LOCK_BYTE && WRITE_LOCK_BYTE <= Number(last);
      if (isHere && isWrite) return { pid: Number(pid), command: commandOf(Number(pid)) };
    }
  } catch {
    // The list or the file does not exist.
  }
  return undefined;
}

/** The end of a sentence about the lock of a database that names its holder; empty if the holder is not known. */
export function heldBy(database: string): string {
  const holder = lockHolder(database);
  if (!holder) return '';
  const { pid, command } = holder;
  return ` by process ${pid}${command === undefined ? '' : ` (${command})`}`;
}

function readLocks(): IterableIterator<RegExpExecArray> {
  return readFileSync('/proc/locks', 'utf8').matchAll(locks);
}

/** The number of a device as `stat` returns it. The parts are hexadecimal. */
function deviceOf(major = '', minor = ''): number {
  const [high, low] = [Number.parseInt(major, 16), Number.parseInt(minor, 16)];
  return (low & 0xff) + high * 0x100 + (low >> 8) * 0x100000;
}

/** The program and, if it is Zastava, at most two words of its command: never a path, an option or a secret. */
function commandOf(pid: number): string | undefined {
  try {
    const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const name = basename(program);
    if (!/^(zastava|bun)/.test(name)) return name;
    const ours = words.filter((word) => !word.startsWith('-') && !word.includes('/')).slice(0, 2);
    return [name, ...ours.filter((word) => /^[a-z-]+$/.test(word))].join(' ');
  } catch {
    return undefined;
  }
}
