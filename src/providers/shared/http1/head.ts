/** The head of an HTTP/1.1 response: RFC 9112, sections 2 to 5. */

/** Most bytes of a response's head; servers keep theirs under 16 KiB. */
export const HEAD_MAX_BYTES = 64 * 1024;

/** The server sent something that is no HTTP/1.1. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const LINE_END = '\r\n';
const SPACE = 0x20;
const TAB = 0x09;

/** A head that is well-formed. Of the many headers that servers send few are read, so each is found when asked for. */
export class ResponseHead {
  readonly status: number;
  readonly #minor: string | undefined;
  readonly #text: string;
  /** Of each header line its begin, its colon and its end. */
  readonly #lines: number[] = [];

  /**
   * @param text the bytes before the empty line, as Latin-1
   * @throws MalformedResponse
   */
  constructor(text: string) {
    const end = endOfLine(text, 0);
    const [, minor, status] = statusLine.exec(text.slice(0, end)) ?? [];
    if (status === undefined) throw new MalformedResponse('it does not begin with a status line');
    this.status = Number(status);
    this.#minor = minor;
    this.#text = text;
    for (let at = end; at < text.length;) at = this.#addLine(at + LINE_END.length);
  }

  /** Whether the connection may carry another request, as far as the head tells. */
  get keepAlive(): boolean {
    const connection = this.get('connection');
    return this.#minor === '1'
      ? connection === null || !/\bclose\b/i.test(connection)
      : connection !== null && /\bkeep-alive\b/i.test(connection);
  }

  /** @param name in lower case @returns a repeated header's values are joined by a comma; null without one */
  get(name: string): string | null {
    const text = this.#text;
    const lines = this.#lines;
    let found: string | null = null;
    for (let index = 0; index < lines.length; index += 3) {
      const begin = lines[index] ?? 0;
      const colon = lines[index + 1] ?? 0;
      if (colon - begin !== name.length) continue;
      if (text.slice(begin, colon).toLowerCase() !== name) continue;
      const value = text.slice(colon + 1, lines[index + 2]).trim();
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  /** @returns the end of the line that begins there */
  #addLine(begin: number): number {
    const text = this.#text;
    const end = endOfLine(text, begin);
    const colon = text.indexOf(':', begin);
    const first = text.charCodeAt(begin);
    const isFolded = first === SPACE || first === TAB;
    // A folded line begins with a space: RFC 9112 lets a client refuse it.
    if (colon <= begin || colon >= end || isFolded || text.charCodeAt(colon - 1) === SPACE) {
      throw new MalformedResponse('a header line is broken');
    }
    this.#lines.push(begin, colon, end);
    return end;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf(LINE_END, from);
  return end < 0 ? text.length : end;
}
