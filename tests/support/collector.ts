/**
 * A test double of an OpenTelemetry collector, which keeps the traces it gets by OTLP over HTTP in JSON.
 * using collector = startCollector(); … OTEL_EXPORTER_OTLP_ENDPOINT: collector.url … collector.spans
 */
interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: readonly Value[] };
}

interface Attribute {
  key: string;
  value: Value;
}

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number; message?: string };
}

interface Body {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: WireSpan[] }[];
  }[];
}

export interface CollectedSpan extends Omit<WireSpan, 'attributes'> {
  attributes: Record<string, unknown>;
  /** Attributes of the service. */
  resource: Record<string, unknown>;
}

export interface Collector extends Disposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** All spans received, in the order of their ends. */
  spans: CollectedSpan[];
  /** The bodies as received. */
  bodies: string[];
  /** Headers and path of each request. */
  requests: { path: string; headers: Record<string, string> }[];
  /** The status of the next responses. */
  status: number;
}

export function startCollector(): Collector {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => take(request) });
  const collector: Collector = {
    url: `http://127.0.0.1:${server.port}`,
    spans: [],
    bodies: [],
    requests: [],
    status: 200,
    [Symbol.dispose]: () => void server.stop(true),
  };
  async function take(request: Request): Promise<Response> {
    const text = await request.text();
    const { pathname: path } = new URL(request.url);
    collector.requests.push({ path, headers: Object.fromEntries(request.headers) });
    collector.bodies.push(text);
    if (collector.status === 200) collector.spans.push(...spansIn(JSON.parse(text) as Body));
    return Response.json({}, { status: collector.status });
  }
  return collector;
}

function spansIn({ resourceSpans }: Body): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: Value): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(valueOf);
  return value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue);
}
