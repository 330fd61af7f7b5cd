/** What every client library does in the common scenario, in terms that no single library defines. */

export interface Call {
  id: string;
  name: string;
  arguments: unknown;
}

export type Turn =
  | { role: 'system'; text: string }
  /** `image` is a `data:` URL of a PNG. */
  | { role: 'user'; text: string; image?: string }
  | { role: 'assistant'; calls: Call[] }
  | { role: 'tool'; callId: string; name: string; text: string };

export interface ChatRequest {
  turns: Turn[];
  model?: string;
  temperature?: number;
  /** Offers the model `weatherTool`, or another. */
  tool?: typeof weatherTool;
  /** A JSON Schema that the answer must match. */
  schema?: Record<string, unknown>;
  signal?: AbortSignal;
}

/** An answer as the client shows it. `cost` in rubles, if the client passes it on. */
export interface Reply {
  text: string;
  calls: Call[];
  promptTokens: number;
  completionTokens: number;
  cost: number | undefined;
}

export interface Client {
  send(request: ChatRequest): Promise<Reply>;
  /** The pieces of the text as they arrive, and the complete text at the end. Throws what the client throws. */
  stream(request: ChatRequest): AsyncGenerator<string, Reply>;
}

/** How a client is set up: where it calls, with which key. */
export interface Dial {
  /** e.g. `http://127.0.0.1:40123` */
  origin: string;
  key: string;
  headers?: Record<string, string>;
  /** 0 by default: tests need to see the first answer. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface ClientKind {
  name: string;
  make: (dial: Dial) => Client;
  /** The client's own exception for an HTTP status. */
  exceptionFor: (status: number) => abstract new (...args: never[]) => Error;
  /** The HTTP status of one of its exceptions. */
  statusOf: (error: unknown) => unknown;
}

export const weatherTool = {
  name: 'weather',
  description: 'Tells the weather in a city',
  parameters: {
    type: 'object' as const,
    properties: { city: { type: 'string' } } as Record<string, unknown>,
    required: ['city'],
  },
};

/** One question, nothing else. */
export function question(text: string): ChatRequest {
  return { turns: [{ role: 'user', text }] };
}

/** Reads a stream to its end. */
export async function readAll(
  stream: AsyncGenerator<string, Reply>,
): Promise<{ pieces: string[]; reply: Reply }> {
  const pieces: string[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return { pieces, reply: value };
    pieces.push(value);
  }
}

/** A field that the client passes on, but that its types do not contain. */
export function costIn(usage: unknown): number | undefined {
  const isObject = typeof usage === 'object' && usage !== null;
  return isObject && 'cost' in usage ? Number(usage.cost) : undefined;
}
