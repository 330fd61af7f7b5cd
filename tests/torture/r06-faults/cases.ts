/** Every fault of a provider, in every way of asking. */
import type { ErrorCode } from '../../../src/lib/errors.ts';
import { codeOfFault, type SendKind } from '../../support/fault-codes.ts';
import { faults, type Fault } from '../../support/scripted-provider.ts';
import { catalogueFor } from '../support/catalogue.ts';

const kinds: readonly SendKind[] = ['text', 'stream', 'image', 'streamed image'];
/** Where the deadline is what ends the call, in seconds. */
const SHORT_S = 1;
const LONG_S = 60;
/** A port on which nothing listens. */
const NOBODY = 'http://127.0.0.1:1/v1';

export interface FaultCase {
  fault: Fault;
  kind: SendKind;
  /** Of a model that is named after the fault, at a provider of its own: breakers must not mix them up. */
  ai: number;
  deadlineMs: number;
  code: ErrorCode | undefined;
}

const secondsFor = (fault: Fault): number =>
  codeOfFault(fault, 'text') === 'provider_timeout' ? SHORT_S : LONG_S;

export const faultCases: readonly FaultCase[] = faults.flatMap((fault, index) =>
  kinds.map((kind) => ({
    fault,
    kind,
    code: codeOfFault(fault, kind),
    ai: (kind.endsWith('image') ? 300 : 200) + index,
    deadlineMs: secondsFor(fault) * 1_000,
  })),
);

export function faultCatalogue(baseUrl: string): string {
  const providers = faults.map((fault) => [
    `p-${fault}`,
    { baseUrl: fault === 'refused' ? NOBODY : baseUrl, timeoutSeconds: secondsFor(fault) },
  ]);
  const models = faults.flatMap((fault, index) => [
    { id: 200 + index, model: fault, type: 'TEXT' as const, provider: `p-${fault}` },
    { id: 300 + index, model: `image ${fault}`, type: 'IMAGE' as const, provider: `p-${fault}` },
  ]);
  return catalogueFor(Object.fromEntries(providers), models);
}
