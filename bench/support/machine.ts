import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { quantileOf } from './numbers.ts';

const FSYNCS = 200;
const PAGE_BYTES = 4096;

/** What a reader must know to judge the figures, in one line. */
export function describeRun(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const flush = fsyncMs();
  return [
    `commit ${commit()}`,
    new Date().toISOString().slice(0, 10),
    `${model}, ${processors.length} cores, ${memory} GiB`,
    `${platform()} ${release()}`,
    `Bun ${Bun.version}`,
    `write and fsync of 4 KiB: median ${flush.median.toFixed(2)} ms, p99 ${flush.p99.toFixed(2)} ms`,
  ].join('; ');
}

function git(...args: string[]): string {
  const run = Bun.spawnSync(['git', ...args], { cwd: import.meta.dir, stderr: 'ignore' });
  return run.success ? run.stdout.toString().trim() : '';
}

function commit(): string {
  const hash = git('rev-parse', '--short', 'HEAD') || 'unknown';
  return git('status', '--porcelain', '--', '../../src') === '' ? hash : `${hash} with changes`;
}

/** The cost of a durable commit, at the least, where the benchmark's databases are. */
function fsyncMs(): { median: number; p99: number } {
  const directory = mkdtempSync(join(tmpdir(), 'zastava-bench-'));
  const file = openSync(join(directory, 'fsync'), 'w');
  const page = new Uint8Array(PAGE_BYTES);
  const times: number[] = [];
  for (let i = 0; i < FSYNCS; i++) {
    const start = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  rmSync(directory, { recursive: true });
  return { median: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) };
}

/** Milliseconds that each core has been busy since the machine started; empty if Linux's /proc is absent. */
export function coreBusyMs(): number[] {
  let text: string;
  try {
    text = readFileSync('/proc/stat', 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => /^cpu\d/.test(line))
    .map((line) => {
      const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
        .split(/\s+/)
        .slice(1)
        .map(Number);
      return (user + nice + system + irq + softirq + steal) * TICK_MS;
    });
}

/** Linux counts processor time in hundredths of a second whatever the kernel's own tick is. */
export const TICK_MS = 10;
