import type { Sample } from './soak-sample.ts';

const MIB = 2 ** 20;
/** The first third fills caches and lets the heap find its size. */
const SETTLING_SHARE = 1 / 3;
/** How much the line through the rest may rise, from its beginning to its end. */
const RISE_MAX = { bytes: 16 * MIB, files: 8 };

export interface Verdict {
  flat: boolean;
  /** How much it rose, and how much it may. */
  words: string;
  /** The sample from which on it was judged. */
  from: number;
}

/** The rule of the soak: the least-squares line through the last two thirds rises by less than these limits. */
export function judge(samples: readonly Sample[]): Verdict {
  const from = Math.floor(samples.length * SETTLING_SHARE);
  const judged = samples.slice(from);
  const seconds = (judged.at(-1)?.seconds ?? 0) - (judged[0]?.seconds ?? 0);
  const bytes = slopeOf(judged, ({ residentBytes }) => residentBytes) * seconds;
  const files = slopeOf(judged, ({ openFiles }) => openFiles) * seconds;
  return {
    // Unknown figures do not count as flat.
    flat: bytes < RISE_MAX.bytes && files < RISE_MAX.files,
    words: `over the last two thirds the least-squares lines rise by ${(bytes / MIB).toFixed(1)} MiB (of ${RISE_MAX.bytes / MIB}) and ${files.toFixed(1)} files (of ${RISE_MAX.files})`,
    from,
  };
}

/** The slope of the least-squares line for each second; windows without a value are left out. */
export function slopeOf(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const points = samples
    .map((sample) => ({ x: sample.seconds, y: value(sample) }))
    .filter(({ y }) => !Number.isNaN(y));
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const spread = mean((point) => (point.x - x) ** 2);
  return mean((point) => (point.x - x) * (point.y - y)) / spread;
}
