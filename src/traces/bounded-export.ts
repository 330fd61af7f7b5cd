import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Outage } from '../lib/outage.ts';

interface ExportParts {
  exporter: SpanExporter;
  clock: Clock;
  log: Log;
}

/** Passes spans on to an exporter, counts lost ones, and logs the beginning and the end of a loss once each. */
export class BoundedExport implements SpanExporter {
  readonly #parts: ExportParts;
  readonly #outage: Outage;
  /** Spans that wait in the queue or for the collector's answer. */
  waiting = 0;
  lost = 0;

  constructor(parts: ExportParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** Takes a span's place in the queue. @returns false if the queue is full: then the span is lost */
  take(max: number): boolean {
    if (this.waiting >= max) {
      this.#lose(1, 'the queue is full');
      return false;
    }
    this.waiting++;
    return true;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#parts.exporter.export(spans, (result) => {
      this.waiting -= spans.length;
      if (result.code === ExportResultCode.SUCCESS) this.#recover();
      else this.#lose(spans.length, result.error?.message ?? 'unknown');
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#parts.exporter.shutdown();
  }

  #lose(spans: number, reason: string): void {
    this.lost += spans;
    if (!this.#outage.begin()) return;
    this.#parts.log.warn(
      { reason },
      'traces are lost: the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take them',
    );
  }

  #recover(): void {
    const seconds = this.#outage.end();
    if (seconds === undefined) return;
    this.#parts.log.info({ seconds, lost: this.lost }, 'traces are exported again');
  }
}
