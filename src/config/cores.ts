import { readFileSync } from 'node:fs';

/** Where Linux keeps the limit of a container: a quota and a period, of cgroup 2 in one file, of cgroup 1 in two. */
const FILES = [
  ['/sys/fs/cgroup/cpu.max'],
  ['/sys/fs/cgroup/cpu/cpu.cfs_quota_us', '/sys/fs/cgroup/cpu/cpu.cfs_period_us'],
] as const;

/** The cores that this process may use: those of the machine, or as many as the limit of its container fills. */
export function coresHere(): number {
  const cores = navigator.hardwareConcurrency;
  for (const files of FILES) {
    const limit = coresOf(files.map(textOf).join(' '));
    if (limit !== undefined) return Math.min(cores, limit);
  }
  return cores;
}

/**
 * The whole cores of a quota and a period, at least one.
 * @param text e.g. `250000 100000`
 * @returns undefined where there is no limit
 */
export function coresOf(text: string): number | undefined {
  const [quota, period] = text.trim().split(/\s+/).map(Number);
  if (!quota || !period || quota < 0) return undefined;
  return Math.max(1, Math.floor(quota / period));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
