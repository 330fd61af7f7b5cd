import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/**
 * Where Linux keeps the CPU limit of a container: a quota and a period, in one file for cgroup 2, in two for cgroup 1.
 */
const CPU_FILES = [
  ['/sys/fs/cgroup/cpu.max'],
  ['/sys/fs/cgroup/cpu/cpu.cfs_quota_us', '/sys/fs/cgroup/cpu/cpu.cfs_period_us'],
] as const;
/** The same for memory, in bytes: for cgroup 2, and for cgroup 1. */
const MEMORY_FILES = [
  '/sys/fs/cgroup/memory.max',
  '/sys/fs/cgroup/memory/memory.limit_in_bytes',
] as const;
const MIB = 2 ** 20;

/** The cores that this process may use: those of the machine, or the whole cores within the limit of its container. */
export function coresHere(): number {
  const cores = navigator.hardwareConcurrency;
  for (const files of CPU_FILES) {
    const limit = coresOf(files.map(textOf).join(' '));
    if (limit !== undefined) return Math.min(cores, limit);
  }
  return cores;
}

/**
 * The whole cores of a quota and a period, at least one.
 * @param text e.g. `250000 100000`
 * @returns undefined if there is no limit
 */
export function coresOf(text: string): number | undefined {
  const [quota, period] = text.trim().split(/\s+/).map(Number);
  if (!quota || !period || quota < 0) return undefined;
  return Math.max(1, Math.floor(quota / period));
}

/** The memory that this process may use, MiB: that of the machine, or the limit of its container. */
export function memoryHereMib(): number {
  return memoryOfMib(totalmem(), MEMORY_FILES.map(textOf));
}

/**
 * The memory of a machine or the limit of a container, whichever is less, MiB.
 * @param bytes the memory of the machine
 * @param limits as Linux writes them, in bytes; a text that is not a number, such as `max`, means no limit
 */
export function memoryOfMib(bytes: number, limits: readonly string[]): number {
  const given = limits.map(Number).filter((limit) => limit > 0);
  return Math.min(bytes, ...given) / MIB;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
