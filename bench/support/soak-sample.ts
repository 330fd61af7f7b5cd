import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { residentBytes } from './processes.ts';
import { environment } from './zastava.ts';

/** Facts about the process in one window of the soak. */
export interface Sample {
  seconds: number;
  residentBytes: number;
  openFiles: number;
  /** The database and its write-ahead log. */
  databaseBytes: number;
  plainPerSecond: number;
  streamsPerSecond: number;
  plainP99Ms: number;
  streamP99Ms: number;
}

/** What the system reports about a process now; NaN if Linux's /proc is absent. */
export function sampleOf(
  pid: number,
  directory: string,
): Pick<Sample, 'residentBytes' | 'openFiles' | 'databaseBytes'> {
  const data = environment(directory).ZASTAVA_DATA_DIR;
  const files = readdirSync(data).filter((name) => name.startsWith('zastava.sqlite'));
  return {
    residentBytes: residentBytes(pid) ?? Number.NaN,
    openFiles: openFilesOf(pid),
    databaseBytes: files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0),
  };
}

function openFilesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

const columns: [string, (sample: Sample) => string][] = [
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['resident_bytes', (sample) => String(sample.residentBytes)],
  ['open_files', ({ openFiles }) => String(openFiles)],
  ['database_bytes', ({ databaseBytes }) => String(databaseBytes)],
  ['plain_per_second', ({ plainPerSecond }) => plainPerSecond.toFixed(0)],
  ['streams_per_second', ({ streamsPerSecond }) => streamsPerSecond.toFixed(0)],
  ['plain_p99_ms', ({ plainP99Ms }) => plainP99Ms.toFixed(2)],
  ['stream_p99_ms', ({ streamP99Ms }) => streamP99Ms.toFixed(2)],
];

export function csvOf(samples: readonly Sample[]): string {
  const head = columns.map(([name]) => name).join(',');
  const lines = samples.map((sample) => columns.map(([, value]) => value(sample)).join(','));
  return `${[head, ...lines].join('\n')}\n`;
}
