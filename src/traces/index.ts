import type { Traces } from '../lib/spans.ts';
import type { TraceParts, TraceSettings } from './open-traces.ts';

/**
 * Opens the export of traces, if the settings name a collector. OpenTelemetry's SDK takes memory, and time at a start,
 * so it is loaded only then.
 */
export async function openTraces(
  settings: TraceSettings | undefined,
  parts: TraceParts,
): Promise<Traces | undefined> {
  if (settings === undefined) return undefined;
  const { open } = await import('./open-traces.ts');
  return open(settings, parts);
}
