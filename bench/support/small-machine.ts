/** A control group that makes a machine small; for Linux with cgroups of version 1 that this user may write. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

export interface SmallMachine extends Disposable {
  /** The beginning of a command line that runs in it. */
  under: readonly string[];
  /** Includes cached pages of files, which the system can reclaim. */
  peakBytes(): number;
}

/** @returns undefined if control groups can't be made */
export function smallMachine(memoryBytes: number, cores: number): SmallMachine | undefined {
  const name = `zastava-bench-${process.pid}`;
  const memory = join(ROOT, 'memory', name);
  const cpu = join(ROOT, 'cpu', name);
  try {
    for (const group of [memory, cpu]) mkdirSync(group);
    writeFileSync(join(memory, 'memory.limit_in_bytes'), String(memoryBytes));
    writeFileSync(join(cpu, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(PERIOD_US * cores));
  } catch {
    remove(memory, cpu);
    return undefined;
  }
  const enter = [memory, cpu].map((group) => `echo $$ >${group}/cgroup.procs`).join(' && ');
  return {
    under: ['sh', '-c', `${enter} && exec "$@"`, 'sh'],
    peakBytes: () => Number(readFileSync(join(memory, 'memory.max_usage_in_bytes'), 'utf8')),
    [Symbol.dispose]: () => remove(memory, cpu),
  };
}

function remove(...groups: string[]): void {
  for (const group of groups) {
    try {
      if (existsSync(group)) rmdirSync(group);
    } catch {
      // After a failure the server still runs in it; the group is empty once the server has ended.
    }
  }
}
