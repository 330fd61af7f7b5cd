import { withGateways, type Gateways } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure } from './support/measure.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import type { Report } from './support/report.ts';
import type { Target } from './support/target.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUNDS_WITH_PEERS = 3;
const WARM_UP_MS = 1_000;
const FIRST_WARM_UP_MS = 3_000;
const MEASURE_MS = 3_000;

interface Rounds {
  /** 32 streams at once. */
  busy: Measured[];
  /** One after another. */
  quiet: Measured[];
}

/** Relayed streams, each recorded and charged at its end, compared with a bare proxy and a gateway without billing. */
export const streams: Measure = {
  name: 's3',
  run: ({ progress, peers }) =>
    withGateways({ rooms: CONNECTIONS, compared: true, peers }, async (gateways) => {
      const { targets } = gateways;
      const rounds = peers ? ROUNDS_WITH_PEERS : ROUNDS;
      const results = new Map<Target, Rounds>(
        targets.map((target) => [target, { busy: [], quiet: [] }]),
      );
      for (let round = 1; round <= rounds; round++) {
        for (const [target, { busy, quiet }] of results) {
          const asked = { ...target, requests: target.streams ?? [] };
          const warmUpMs = round === 1 ? FIRST_WARM_UP_MS : WARM_UP_MS;
          const all = { connections: CONNECTIONS, warmUpMs, measureMs: MEASURE_MS };
          const result = await load(asked, all);
          busy.push(result);
          quiet.push(await load(asked, { ...all, connections: 1, warmUpMs: WARM_UP_MS }));
          progress(
            `round ${round}/${rounds}: ${target.name}: ${grouped(result.perSecond)} streams/s`,
          );
        }
      }
      return reportOf(gateways, results, rounds);
    }),
};

function reportOf(
  { mock, portkey, absent }: Gateways,
  results: Map<Target, Rounds>,
  rounds: number,
): Report {
  const rateOf = (target: Target | undefined): number =>
    medianOf((target && results.get(target)?.busy.map((each) => each.perSecond)) ?? []);
  const portkeyRate = rateOf(portkey);
  const direct = results.get(mock.target)?.quiet ?? [];
  return {
    name: 'S3',
    title: `streamed sends a second on one core, ${CONNECTIONS} connections, and time to the first delta`,
    columns: [
      'target',
      'streams/s',
      'of all rounds',
      '× Portkey',
      'CPU µs',
      'first delta p50 ms',
      'p99 ms',
      'added p50 ms',
    ],
    rows: [...results].map(([target, { busy, quiet }]) => {
      const rates = busy.map((each) => each.perSecond);
      const isGateway = target !== mock.target;
      const added = quiet.map(
        (each, round) => each.firstDeltaP50Ms - (direct[round]?.firstDeltaP50Ms ?? 0),
      );
      return [
        target.name,
        grouped(medianOf(rates)),
        spreadOf(rates),
        isGateway && portkeyRate > 0 ? (medianOf(rates) / portkeyRate).toFixed(1) : '',
        isGateway ? medianOf(busy.map((each) => each.cpuMicros ?? Number.NaN)).toFixed(0) : '',
        medianOf(quiet.map((each) => each.firstDeltaP50Ms)).toFixed(3),
        medianOf(quiet.map((each) => each.firstDeltaP99Ms)).toFixed(3),
        isGateway ? medianOf(added).toFixed(3) : '',
      ];
    }),
    notes: [
      `${rounds} interleaved rounds of ${MEASURE_MS / 1000} s; medians. A stream has 20 deltas in 5 writes, then finish, usage and end; asked for through /v1/chat/completions everywhere.`,
      'Time to the first delta: from the moment at which the mock writes it to its arrival, one stream at a time; “added” is less that of the direct streams of the round.',
      'Zastava writes hold, answer, usage and charge down as for a plain send.',
      ...absent.map((sentence) => `${sentence}.`),
    ],
  };
}
