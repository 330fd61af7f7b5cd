/** The head of an HTTP/1.1 response: RFC 9112, sections 2 to 5. */

/** Most bytes of a response's head; servers keep theirs under 16 KiB. */
export const HEAD_MAX_BYTES = 64 * 1024;

export interface ResponseHead {
  status: number;
  /** By lower-case name; a repeated header's values are joined by a comma. */
  headers: ReadonlyMap<string, string>;
  /** Whether the connection may carry another request, as far as the head tells. */
  keepAlive: boolean;
}

/** The server sent something that is no HTTP/1.1. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;

/**
 * @param text the bytes before the empty line, as Latin-1
 * @throws MalformedResponse
 */
export function parseHead(text: string): ResponseHead {
  const lines = text.split('\r\n');
  const [, minor, status] = statusLine.exec(lines[0] ?? '') ?? [];
  if (status === undefined) throw new MalformedResponse('it does not begin with a status line');
  const headers = new Map<string, string>();
  for (let index = 1; index < lines.length; index++) addHeader(headers, lines[index] ?? '');
  const connection = headers.get('connection');
  const keepAlive =
    minor === '1'
      ? connection === undefined || !/\bclose\b/i.test(connection)
      : connection !== undefined && /\bkeep-alive\b/i.test(connection);
  return { status: Number(status), headers, keepAlive };
}

function addHeader(headers: Map<string, string>, line: string): void {
  const colon = line.indexOf(':');
  // A folded line begins with a space: RFC 9112 lets a client refuse it.
  if (colon <= 0 || line.startsWith(' ') || line.startsWith('\t') || line[colon - 1] === ' ') {
    throw new MalformedResponse('a header line is broken');
  }
  const name = line.slice(0, colon).toLowerCase();
  const value = line.slice(colon + 1).trim();
  const known = headers.get(name);
  headers.set(name, known === undefined ? value : `${known}, ${value}`);
}
