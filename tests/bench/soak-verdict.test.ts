import { describe, expect, test } from 'bun:test';
import { judge, slopeOf } from '../../bench/support/soak-verdict.ts';
import { csvOf, type Sample } from '../../bench/support/soak-sample.ts';

const MIB = 2 ** 20;

/** Half an hour, a sample every 5 seconds. */
function run(of: (seconds: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 360 }, (_, index) => {
    const seconds = index * 5;
    return {
      seconds,
      residentBytes: 200 * MIB,
      openFiles: 60,
      databaseBytes: seconds * 1000,
      plainPerSecond: 2_000,
      streamsPerSecond: 200,
      plainP99Ms: 9,
      streamP99Ms: 12,
      ...of(seconds),
    };
  });
}

describe('the verdict of the soak', () => {
  test('a heap that reaches its size within the first third is flat, and so is noise', () => {
    const noisy = run((seconds) => ({
      residentBytes: (100 + Math.min(100, seconds / 4) + (seconds % 50)) * MIB,
      openFiles: 50 + (seconds % 20),
    }));
    expect(judge(noisy)).toMatchObject({ flat: true, from: 120 });
  });

  test('a leak of 60 MiB an hour is not', () => {
    const leaking = run((seconds) => ({ residentBytes: (200 + seconds / 60) * MIB }));
    expect(judge(leaking).flat).toBe(false);
  });

  test('a file left open every minute is not', () => {
    expect(judge(run((seconds) => ({ openFiles: 60 + seconds / 60 }))).flat).toBe(false);
  });

  test('an unknown figure is not flat', () => {
    expect(judge(run(() => ({ residentBytes: Number.NaN }))).flat).toBe(false);
  });

  test('a window that failed is left out of the slope', () => {
    const samples = run((seconds) => ({ plainP99Ms: seconds === 500 ? Number.NaN : seconds * 2 }));
    expect(slopeOf(samples, ({ plainP99Ms }) => plainP99Ms)).toBeCloseTo(2);
  });
});

test('a sample is a line of the table', () => {
  const [head, first] = csvOf(run(() => ({})).slice(0, 1)).split('\n');
  expect(head?.split(',')).toHaveLength(8);
  expect(first).toBe('0,209715200,60,0,2000,200,9.00,12.00');
});
