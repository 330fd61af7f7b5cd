import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Traces } from '../lib/spans.ts';
import { endsWithin } from '../lib/within.ts';
import { BoundedExport } from './bounded-export.ts';
import { SpansOfRequest, type SpanChoices } from './request-spans.ts';

/** The most spans that wait for the collector: about 2 KiB each, without texts. A send has about five. */
const QUEUE_SPANS_MAX = 4_096;
/** The most spans in one request to the collector. */
const BATCH_SPANS_MAX = 512;
/** How long the collector may take. */
const EXPORT_MAX_MS = 10_000;
/** How long a stop waits for the last spans. */
const CLOSE_MAX_MS = 5_000;

/** Where traces are sent; see `readTraces` in `src/config`. */
export interface TraceSettings extends SpanChoices {
  url: string;
  headers: string;
  serviceName: string;
  resource: string;
}

export interface TraceParts {
  version: string;
  clock: Clock;
  log: Log;
}

/** Opens the export of traces with OpenTelemetry's SDK. The SDK's variables for sampling and batches apply. */
export function open(settings: TraceSettings, { version, clock, log }: TraceParts): Traces {
  const { url, headers, serviceName, resource } = settings;
  const exporter = new OTLPTraceExporter({
    url,
    headers: parseKeyPairsIntoRecord(headers),
    timeoutMillis: EXPORT_MAX_MS,
  });
  const bounded = new BoundedExport({ exporter, clock, log });
  const processor = new BoundedProcessor(bounded, {
    maxQueueSize: QUEUE_SPANS_MAX,
    maxExportBatchSize: BATCH_SPANS_MAX,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.version': version,
      ...parseKeyPairsIntoRecord(resource),
      'service.name': serviceName,
    }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('zastava', version);
  return {
    begin: (request) => new SpansOfRequest(tracer, settings, request),
    get lost() {
      return bounded.lost;
    },
    close: async () => {
      // Spans that could not be exported have been counted.
      const closed = provider.shutdown().catch(() => undefined);
      await endsWithin(closed, CLOSE_MAX_MS);
    },
  };
}

/** The SDK's queue, with a bound that includes the spans being exported, and a count of losses. */
class BoundedProcessor extends BatchSpanProcessor {
  readonly #bounded: BoundedExport;

  constructor(
    bounded: BoundedExport,
    options: ConstructorParameters<typeof BatchSpanProcessor>[1],
  ) {
    super(bounded satisfies SpanExporter, options);
    this.#bounded = bounded;
  }

  override onEnd(span: ReadableSpan): void {
    // The SDK does not queue these spans.
    if ((span.spanContext().traceFlags & 1) === 0) return;
    if (this.#bounded.take(QUEUE_SPANS_MAX)) super.onEnd(span);
  }
}
