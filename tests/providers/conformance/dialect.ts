import type { ProviderSetup, Usage } from '../../../src/providers/index.ts';
import type { EventReader } from '../../../src/providers/shared/answer-reader.ts';
import type { Reply, WireCall } from './wire-server.ts';

/** The properties of a dialect that the suite needs to test it. */
export interface WireDialect {
  kind: string;
  /** The name in tests; by default the kind. */
  name?: string;
  /** The folder of its fixtures. */
  folder: string;
  /** Fixtures under another name, by their usual name. */
  files?: Readonly<Record<string, string>>;
  /** @param origin of the scripted server, e.g. `http://127.0.0.1:40123` */
  setup(origin: string): Omit<ProviderSetup, 'code' | 'kind' | 'timeoutSeconds' | 'apiKey'>;
  /** The path of a call to the model `model-1`. */
  path: { plain: string; stream: string };
  /** The required headers, with the key `canaryKey` among them. */
  headers: Readonly<Record<string, string>>;
  /** Fields that only a streamed call has. */
  streamFields: Readonly<Record<string, unknown>>;
  /** The counts in `text.json` and `stream.sse`; all others are null. */
  usage: { text: Partial<Usage>; stream: Partial<Usage> };
  /** The model that answered, by `text.json` and `stream.sse`; absent: the dialect does not name it. */
  answeringModel?: { text: string; stream: string };
  /** 7 if the dialect sends seeds, otherwise null. */
  seed: number | null;
  /** The counts in `refusal.json` and `stream-refusal.sse`. */
  refusalUsage: { plain: Partial<Usage>; stream: Partial<Usage> };
  /** How many of the last events of `stream.sse` an answer can lack and still be complete. */
  spareEvents: number;
  /** How many tool calls an answer may have. For `none`, requests with tools are `refused` in `requests.json`. */
  toolCalls: 'none' | 'one' | 'several';
  /** True: after a 401 the call is repeated once, with a new token. */
  renewsToken?: boolean;
  /** An error body with the message `scripted STATUS`. */
  errorBody(status: number): unknown;
  /** Answers calls that do not go to the model, e.g. for a token. */
  serve?(call: WireCall): Reply | undefined;
  /** A new reader of a stream's events. */
  reader(): EventReader;
  /** The fixture of a stream that ends in an error for a busy provider; absent: the dialect has none. */
  streamError?: string;
}
