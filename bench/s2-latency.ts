import { withGateways } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure } from './support/measure.ts';
import { medianOf, spreadOf } from './support/numbers.ts';
import type { Target } from './support/target.ts';

const BLOCKS = 9;
/** Calls in a block, after a warm-up. */
const CALLS = 1_000;
/** Some peers take 10 ms a call or more. */
const BLOCKS_WITH_PEERS = 5;
const CALLS_WITH_PEERS = 400;
const WARM_UP_MS = 300;
const BLOCK_MAX_MS = 30_000;

/** The latency that a gateway adds to the calls of a single caller: one connection, one request at a time. */
export const latency: Measure = {
  name: 's2',
  run: ({ progress, peers }) =>
    withGateways({ rooms: 1, compared: true, peers }, async ({ mock, targets, absent }) => {
      const calls = peers ? CALLS_WITH_PEERS : CALLS;
      const count = peers ? BLOCKS_WITH_PEERS : BLOCKS;
      const blocks = new Map<Target, Measured[]>(targets.map((target) => [target, []]));
      for (let block = 1; block <= count; block++) {
        for (const [target, measured] of blocks) {
          const options = { warmUpMs: WARM_UP_MS, measureMs: BLOCK_MAX_MS, count: calls };
          measured.push(await load(target, { connections: 1, ...options }));
        }
        progress(`block ${block}/${count}`);
      }
      const direct = blocks.get(mock.target) ?? [];
      const added = (rounds: Measured[], of: (each: Measured) => number): number[] =>
        rounds.map((each, block) => of(each) - of(direct[block] ?? each));
      return {
        name: 'S2',
        title: 'latency, one connection',
        columns: [
          'target',
          'p50 ms',
          'p99 ms',
          'added p50 ms',
          'of all blocks',
          'added p99 ms',
          'of all blocks',
        ],
        rows: [...blocks].map(([target, rounds]) => {
          const p50 = added(rounds, (each) => each.p50Ms);
          const p99 = added(rounds, (each) => each.p99Ms);
          const isDirect = target === mock.target;
          return [
            target.name,
            medianOf(rounds.map((each) => each.p50Ms)).toFixed(3),
            medianOf(rounds.map((each) => each.p99Ms)).toFixed(3),
            ...(isDirect ? ['', ''] : [medianOf(p50).toFixed(3), spreadOf(p50, 3)]),
            ...(isDirect ? ['', ''] : [medianOf(p99).toFixed(3), spreadOf(p99, 3)]),
          ];
        }),
        notes: [
          `${count} alternating blocks of ${calls} calls over one kept-alive connection; “added” is a block's figure less that of the direct calls beside it, and the median of the blocks.`,
          'A send of Zastava waits for the disk twice: the hold before the provider is called, answer and charge before the caller is answered.',
          ...absent.map((sentence) => `${sentence}.`),
        ],
      };
    }),
};
