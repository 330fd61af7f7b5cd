/** A target of load, and its requests: each connection sends the next one. */
export interface Target {
  name: string;
  url: string;
  /** Whole HTTP/1.1 requests as text. */
  requests: string[];
  /** The same for streams, if they are measured. */
  streams?: string[];
  /** Undefined for the mock itself. */
  pid: number | undefined;
  /** How many connections it accepts at once, if that is fewer than the load has. */
  connectionsMax?: number;
  /** The first process of its database server. */
  databasePid?: number;
}

/** A POST of JSON as the load generator sends it: the same bytes to every gateway except for its own headers. */
export function postText(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const json = JSON.stringify(body);
  const lines = Object.entries({
    host: new URL(url).host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, '', json].join('\r\n');
}

/** The question that is sent to every target. */
export const question =
  'What was a town gate for, and who paid the toll there? Answer in one short sentence.';
export const outputTokensMax = 256;
export const mockModel = 'mock-model';

/** The question as an OpenAI-compatible request for a stream, the same for every gateway. */
export const streamedCompletion = {
  model: mockModel,
  messages: [{ role: 'user', content: question }],
  max_tokens: outputTokensMax,
  stream: true,
};

/** The question as an OpenAI-compatible request. */
export const chatCompletion = {
  model: mockModel,
  messages: [{ role: 'user', content: question }],
  max_tokens: outputTokensMax,
};
