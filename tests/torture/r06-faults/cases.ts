/** Every fault of a provider, for every interface that sends. */
import type { ErrorCode } from '../../../src/lib/errors.ts';
import { codeOfFault, type SendKind } from '../../support/fault-codes.ts';
import { faults, type Fault } from '../../support/scripted-provider.ts';
import { catalogueFor, type SoldModel } from '../support/catalogue.ts';
import { streamingWays, wayNames, ways, type Modality, type WayName } from '../support/ways.ts';

/** An interface under `/v1`; without one it is `/ai/send/`. */
interface Interface {
  name: string;
  way?: WayName;
  /** In WebSocket mode. */
  socket?: boolean;
  detached?: boolean;
  background?: boolean;
  stream: boolean;
  modality: Modality;
  /** The kind of its answer, on which the code depends. */
  kind: SendKind;
}

const native: readonly Interface[] = [
  { name: 'text', stream: false, modality: 'text', kind: 'text' },
  { name: 'stream', stream: true, modality: 'text', kind: 'stream' },
  // Here, too, the provider is called for a stream.
  { name: 'detached text', detached: true, stream: false, modality: 'text', kind: 'stream' },
  { name: 'detached stream', detached: true, stream: true, modality: 'text', kind: 'stream' },
  { name: 'image', stream: false, modality: 'image', kind: 'image' },
  { name: 'streamed image', stream: true, modality: 'image', kind: 'streamed image' },
];

const kindOfWay: Readonly<Record<WayName, SendKind>> = {
  chat: 'text',
  completion: 'text',
  response: 'text',
  compaction: 'text',
  message: 'text',
  embedding: 'image',
  image: 'image',
  edit: 'image',
  speech: 'audio',
  transcription: 'audio',
};

const plain = wayNames.map((way): Interface => {
  const { modality } = ways[way];
  return { name: `v1 ${way}`, way, stream: false, modality, kind: kindOfWay[way] };
});
const streamed = [...streamingWays, 'transcription' as const].map((way): Interface => {
  const { modality } = ways[way];
  const kind = way === 'transcription' ? 'audio' : 'stream';
  return { name: `v1 streamed ${way}`, way, stream: true, modality, kind };
});
const socket: Interface = {
  name: 'v1 response in WebSocket mode',
  way: 'response',
  socket: true,
  stream: true,
  modality: 'text',
  kind: 'stream',
};
/** The provider is called for a stream, as for a detached text. */
const background: Interface = {
  name: 'v1 response in the background',
  way: 'response',
  background: true,
  stream: false,
  modality: 'text',
  kind: 'stream',
};
const interfaces: readonly Interface[] = [...native, ...plain, ...streamed, socket, background];

/** The deadline in seconds, if the deadline should end the call. */
const SHORT_S = 1;
const LONG_S = 60;
/** A port on which nothing listens. */
const NOBODY = 'http://127.0.0.1:1/v1';

export interface FaultCase extends Interface {
  fault: Fault;
  /**
   * The model is named after the fault, and has its own provider, so that circuit breakers do not affect each other.
   */
  ai: number;
  deadlineMs: number;
  code: ErrorCode | undefined;
}

const secondsFor = (fault: Fault): number =>
  codeOfFault(fault, 'text') === 'provider_timeout' ? SHORT_S : LONG_S;

export const faultCases: readonly FaultCase[] = faults.flatMap((fault, index) =>
  interfaces.map((one, at) => ({
    ...one,
    fault,
    code: codeIn(one, fault),
    ai: 200 + at * faults.length + index,
    deadlineMs: secondsFor(fault) * 1_000,
  })),
);

/** Under `/v1`, a problem that the provider finds in the request is the caller's. */
function codeIn({ way, kind }: Interface, fault: Fault): ErrorCode | undefined {
  return way && fault === '400' ? 'invalid_request' : codeOfFault(fault, kind);
}

/** The fault that a model is named after. */
export function faultOf(model: unknown): Fault {
  return String(model).split(' ').at(-1) as Fault;
}

export function faultCatalogue(baseUrl: string): string {
  const providers = faultCases.map(({ fault, ai }) => [
    `p-${ai}`,
    { baseUrl: fault === 'refused' ? NOBODY : baseUrl, timeoutSeconds: secondsFor(fault) },
  ]);
  const models = faultCases.map(({ fault, name, ai, modality }): SoldModel => ({
    id: ai,
    model: `${name} ${fault}`,
    type: modality === 'image' ? 'IMAGE' : 'TEXT',
    ...(modality !== 'image' && modality !== 'text' && { modality }),
    provider: `p-${ai}`,
  }));
  return catalogueFor(Object.fromEntries(providers), models);
}
