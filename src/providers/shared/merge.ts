import { asRecord, type JsonRecord } from './wire.ts';

/**
 * A request with the operator's fields added to its own. Objects in both are merged; otherwise, the request's own value
 * stays.
 */
export function withExtra(body: JsonRecord, extra: JsonRecord): JsonRecord {
  const merged: Record<string, unknown> = { ...extra };
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const [own, added] = [asRecord(value), asRecord(extra[name])];
    merged[name] = own && added ? withExtra(own, added) : value;
  }
  return merged;
}
