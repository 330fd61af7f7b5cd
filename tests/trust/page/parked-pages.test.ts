import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { PageParser } from '../../../src/trust/page/page-parser.ts';

/**
 * Pages written like real ones. The rules were made from `fitting`. Each set of `judging` was classified once; then the
 * rules learned from its errors, and those pages moved to `fitting`.
 */
const PAGES = `${import.meta.dir}/../../fixtures/parked-pages`;

interface Sample {
  name: string;
  isParked: boolean;
  isFound: boolean;
}

/** Each page follows a line `=== name | requested domain | address of the page`. */
function samplesIn(folder: string): Sample[] {
  return readdirSync(`${PAGES}/${folder}`)
    .sort()
    .flatMap((file) => {
      const parts = readFileSync(`${PAGES}/${folder}/${file}`, 'utf8').split(/^=== /m).slice(1);
      return parts.map((part) => sampleOf(part, file.startsWith('parked')));
    });
}

function sampleOf(part: string, isParked: boolean): Sample {
  const end = part.indexOf('\n');
  const [name = '', domain = '', address = ''] = part.slice(0, end).split(' | ');
  const redirects = [new URL(`http://${domain}/`)];
  const parser = new PageParser({ url: new URL(address), headers: {}, redirects });
  parser.push(Buffer.from(part.slice(end + 1)));
  return { name, isParked, isFound: parser.end().parked };
}

describe('pages that the rules were made from', () => {
  test.each(samplesIn('fitting'))('$name: $isParked', ({ isParked, isFound }) => {
    expect(isFound).toBe(isParked);
  });
});

test('the rules find 90 % of the parked pages in sets that they had not seen, and call no other page parked', () => {
  const samples = samplesIn('judging');
  const parked = samples.filter(({ isParked }) => isParked);
  const honest = samples.filter(({ isParked }) => !isParked);
  const found = parked.filter(({ isFound }) => isFound);
  const alarms = honest.filter(({ isFound }) => isFound).map(({ name }) => name);
  console.table([
    { pages: 'parked', judged: parked.length, 'called parked': found.length },
    { pages: 'honest', judged: honest.length, 'called parked': alarms.length },
  ]);
  expect([parked.length, honest.length]).toEqual([276, 329]);
  expect(found.length).toBeGreaterThanOrEqual(249);
  expect(alarms).toEqual([]);
});
