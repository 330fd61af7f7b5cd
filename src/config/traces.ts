import { SettingError } from './errors.ts';
import { isBare, type Environment } from './forms.ts';

export interface TraceSettings {
  /** The collector's URL for traces. */
  url: string;
  /** `name=value` pairs, separated by commas, in the form of OTEL_EXPORTER_OTLP_HEADERS; they may be secret. */
  headers: string;
  serviceName: string;
  /** Further attributes of the service, in the form of `headers`. */
  resource: string;
  /** True: a trace continues the caller's trace. */
  fromCallers: boolean;
  /** True: providers get the trace context of the attempt. */
  toProviders: boolean;
  /** True: traces contain the texts of sends. */
  texts: boolean;
}

/** The values of ZASTAVA_TRACES_CONTEXT. */
export const traceContexts = ['off', 'callers', 'providers', 'both'] as const;

/** The path at which a collector accepts traces, below OTEL_EXPORTER_OTLP_ENDPOINT. */
const TRACES_PATH = '/v1/traces';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

interface OwnSettings {
  tracesContext: (typeof traceContexts)[number];
  tracesTexts: 'on' | 'off';
}

/**
 * Reads OpenTelemetry's own variables, as its specification defines them.
 * @returns undefined: no traces
 * @throws SettingError
 */
export function readTraces(
  { tracesContext: context, tracesTexts }: OwnSettings,
  env: Environment,
): TraceSettings | undefined {
  const own = env[TRACES_ENDPOINT] || undefined;
  const endpoint = own ?? (env[ENDPOINT] || undefined);
  if (endpoint === undefined || isOff(env)) return undefined;
  const name = own === undefined ? ENDPOINT : TRACES_ENDPOINT;
  if (!/^https?:\/\/[^/]/.test(endpoint) || URL.parse(endpoint) === null) {
    throw new SettingError(`${name}: must be an http or https URL, such as http://127.0.0.1:4318`);
  }
  if (!isBare(endpoint)) {
    throw new SettingError(
      `${name}: must have no user, password, query (?…) or fragment (#…): put credentials into OTEL_EXPORTER_OTLP_HEADERS`,
    );
  }
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol === 'grpc') {
    throw new SettingError(
      'OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent over HTTP: set http/json, and the port of the collector for HTTP (usually 4318)',
    );
  }
  return {
    url: own ?? `${endpoint.replace(/\/+$/, '')}${TRACES_PATH}`,
    headers: env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] || env['OTEL_EXPORTER_OTLP_HEADERS'] || '',
    serviceName: env['OTEL_SERVICE_NAME'] || 'zastava',
    resource: env['OTEL_RESOURCE_ATTRIBUTES'] || '',
    fromCallers: context === 'callers' || context === 'both',
    toProviders: context === 'providers' || context === 'both',
    texts: tracesTexts === 'on',
  };
}

function isOff(env: Environment): boolean {
  return (
    env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none'
  );
}
