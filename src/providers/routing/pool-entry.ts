import type { Clock } from '../../lib/clock.ts';
import { Breaker } from './breaker.ts';
import { Gate, type GateTime } from './gate.ts';
import { keyHint, KeyRing } from './key-ring.ts';
import { RetryBudget } from './retry.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import type { Provider } from '../spec.ts';

/** What the pool keeps of one provider while its setup stays the same. */
export interface PoolEntry {
  setup: ProviderSetup;
  keys: KeyRing;
  breaker: Breaker;
  /** Undefined: nothing is limited. */
  gate: Gate | undefined;
  retries: RetryBudget;
}

export interface EntryParts {
  clock: Clock;
  create: (setup: ProviderSetup) => Provider;
  after: GateTime['after'];
}

export function openEntry(setup: ProviderSetup, { clock, create, after }: EntryParts): PoolEntry {
  const monotonic = () => clock.monotonic();
  const { routing } = setup;
  const keys =
    routing && routing.keys.length > 0 ? routing.keys : [{ key: setup.apiKey, weight: 1 }];
  const ring = keys.map(({ key, weight }, index) => ({
    provider: create({ ...setup, apiKey: key }),
    weight,
    hint: keyHint(key, index),
  }));
  const isLimited =
    routing?.maxConcurrent !== undefined || routing?.maxRequestsPerMinute !== undefined;
  return {
    setup: { ...setup },
    keys: new KeyRing(ring, monotonic),
    breaker: new Breaker(monotonic),
    gate: routing && isLimited ? new Gate(routing, { monotonic, after }) : undefined,
    retries: new RetryBudget(monotonic),
  };
}

export function sameSetup(a: ProviderSetup, b: ProviderSetup): boolean {
  return (
    a.kind === b.kind &&
    a.baseUrl === b.baseUrl &&
    a.apiKey === b.apiKey &&
    a.timeoutSeconds === b.timeoutSeconds &&
    Bun.deepEquals(a.options, b.options) &&
    Bun.deepEquals(a.routing, b.routing)
  );
}
