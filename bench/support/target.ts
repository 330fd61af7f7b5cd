/** Something that load is put on, and the requests that it takes, a connection each in turn. */
export interface Target {
  name: string;
  url: string;
  /** Whole HTTP/1.1 requests as text. */
  requests: string[];
  /** The same for streams, where they are measured. */
  streams?: string[];
  /** Undefined for the mock itself. */
  pid: number | undefined;
  /** Connections that it takes at once, where that is fewer than are measured with. */
  connectionsMax?: number;
  /** The first process of its database server. */
  databasePid?: number;
}

/** A POST of JSON as the load generator sends it: the same bytes to every gateway but for its own headers. */
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

/** What is asked everywhere. */
export const question =
  'What was a town gate for, and who paid the toll there? Answer in one short sentence.';
export const outputTokensMax = 256;
export const mockModel = 'mock-model';

/** The question as an OpenAI-compatible request for a stream, the same to every gateway. */
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
