import type { ProviderSetup, Usage } from '../../../src/providers/index.ts';
import type { EventReader } from '../../../src/providers/shared/text-stream.ts';
import type { Reply, WireCall } from './wire-server.ts';

/** What a dialect says of itself, so that the suite can hold it to what all dialects must do. */
export interface WireDialect {
  kind: string;
  /** The folder of its fixtures; those that differ in name from the usual ones. */
  folder: string;
  files?: Readonly<Record<string, string>>;
  /** @param origin of the scripted server, e.g. `http://127.0.0.1:40123` */
  setup(origin: string): Omit<ProviderSetup, 'code' | 'kind' | 'timeoutSeconds' | 'apiKey'>;
  /** Where a call of the model `model-1` goes. */
  path: { plain: string; stream: string };
  /** What of the headers carries the key and what must stand beside it. */
  headers: Readonly<Record<string, string>>;
  /** Fields that only a streamed call has. */
  streamFields: Readonly<Record<string, unknown>>;
  /** Told by `text.json` and `stream.sse`; the rest is null. */
  usage: { text: Partial<Usage>; stream: Partial<Usage> };
  /** The seed of a request, where the dialect tells that it was sent. */
  seed: number | null;
  /** Told with a refusal. */
  refusalUsage: { plain: Partial<Usage>; stream: Partial<Usage> };
  /** How many of the last events of `stream.sse` may be missing: the answer is whole without them. */
  spareEvents: number;
  /** How many tool calls an answer may have. Of `none`, requests with tools are `refused` in `requests.json`. */
  toolCalls: 'none' | 'one' | 'several';
  /** True: a call that was answered 401 is made once more, with a fresh token. */
  renewsToken?: boolean;
  errorBody(status: number): unknown;
  /** Answers calls that are not of the model, e.g. for a token. */
  serve?(call: WireCall): Reply | undefined;
  /** A fresh reader of a stream's events. */
  reader(): EventReader;
  /** A stream that ends in an error of the provider being busy; absent: the dialect knows none. */
  streamError?: string;
}
