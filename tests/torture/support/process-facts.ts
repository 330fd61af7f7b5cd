/** Facts that the system reports about a process; only on Linux, elsewhere undefined. */
import { readdirSync, readFileSync } from 'node:fs';

/** The most resident memory that it ever had, in bytes. */
export const peakMemoryOf = (pid: number): number | undefined => statusOf(pid, 'VmHWM');

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(parent) === pid && state !== 'Z' ? [Number(name)] : [];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

function statusOf(pid: number, name: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** All open connections on this machine to a port. */
export function connectionsTo(port: number): number | undefined {
  try {
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
    const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    const established = '01';
    return lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote, state]) => remote?.endsWith(wanted) && state === established).length;
  } catch {
    return undefined;
  }
}

export const MIB = 1024 * 1024;
