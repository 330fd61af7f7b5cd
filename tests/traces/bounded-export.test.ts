/**
 * Spans that a collector does not accept are counted, and the log has one line when losses begin and one when they end.
 */
import { expect, test } from 'bun:test';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { BoundedExport } from '../../src/traces/bounded-export.ts';
import { stillClock } from '../support/clock.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

function openExport() {
  const logged: LogLine[] = [];
  const answers: ((result: ExportResult) => void)[] = [];
  const exporter = {
    export: (_spans: ReadableSpan[], done: (result: ExportResult) => void) =>
      void answers.push(done),
    shutdown: () => Promise.resolve(),
  };
  const bounded = new BoundedExport({ exporter, clock: stillClock(), log: recordingLog(logged) });
  /** Exports this many spans. */
  const spans = (count: number) => {
    for (let n = 0; n < count; n++) bounded.take(3);
    bounded.export(Array<ReadableSpan>(count), () => undefined);
  };
  const away = { code: ExportResultCode.FAILED, error: new Error('connect ECONNREFUSED') };
  return {
    bounded,
    logged,
    spans,
    refuse: () => answers.shift()?.(away),
    accept: () => answers.shift()?.({ code: ExportResultCode.SUCCESS }),
  };
}

test('while the collector is away, spans are counted as lost, with one line in the log', () => {
  const { bounded, logged, spans, refuse, accept } = openExport();
  spans(2);
  refuse();
  spans(3);
  refuse();
  expect(bounded.lost).toBe(5);
  expect(logged).toMatchObject([{ level: 40, reason: 'connect ECONNREFUSED' }]);
  spans(1);
  accept();
  expect(logged.slice(1)).toMatchObject([{ level: 30, msg: 'traces are exported again', lost: 5 }]);
  spans(1);
  accept();
  expect(logged.length).toBe(2);
});

test('the queue is bounded, including spans sent to the collector but not yet confirmed', () => {
  const { bounded, logged, spans, accept } = openExport();
  spans(2);
  expect([bounded.take(3), bounded.take(3), bounded.take(3)]).toEqual([true, false, false]);
  expect(bounded.lost).toBe(2);
  expect(logged).toMatchObject([{ reason: 'the queue is full' }]);
  accept();
  expect(bounded.take(3)).toBe(true);
});
