const HEAD_END = '\r\n\r\n';
const empty = Buffer.alloc(0);

/**
 * Splits a byte stream into HTTP/1.1 messages: head, and a body with a Content-Length or in chunks. It does only what
 * an honest peer needs, so that the mock and the load generator cost less than what they measure.
 */
export class MessageReader {
  readonly #onMessage: (head: string, body: Buffer) => void;
  #rest: Buffer = empty;

  constructor(onMessage: (head: string, body: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  push(bytes: Buffer): void {
    let left = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const headEnd = left.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = left.toString('latin1', 0, headEnd);
      const bodyStart = headEnd + HEAD_END.length;
      const bodyEnd = endOfBody(head, left, bodyStart);
      if (bodyEnd === undefined) break;
      const body = left.subarray(bodyStart, bodyEnd);
      left = left.subarray(bodyEnd);
      this.#onMessage(head, body);
    }
    // A copy, since the socket reuses its buffer.
    this.#rest = left.length === 0 ? empty : Buffer.from(left);
  }
}

/** @returns where the message ends; undefined if it is not complete yet */
function endOfBody(head: string, bytes: Buffer, bodyStart: number): number | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = bodyStart + Number(length);
    return end <= bytes.length ? end : undefined;
  }
  return /\r\ntransfer-encoding: *chunked/i.test(head) ? endOfChunks(bytes, bodyStart) : bodyStart;
}

function endOfChunks(bytes: Buffer, bodyStart: number): number | undefined {
  for (let at = bodyStart; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (at > bytes.length) return undefined;
    if (size === 0) return at;
  }
}
