import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { running } from '../fixtures.ts';
import { failure } from '../../support/failure.ts';
import { readBytes } from '../../../src/providers/shared/body.ts';
import {
  type ByteReader,
  Exchange,
  UNREAD_MAX_BYTES,
} from '../../../src/providers/shared/http1/exchange.ts';
import { MalformedResponse } from '../../../src/providers/shared/http1/body-decoder.ts';

/** Feeds the bytes of an answer, cut at the given places, to an exchange. */
function feed(bytes: Uint8Array, cuts: number[] = []) {
  const seen = { finished: undefined as boolean | undefined, abandoned: false, over: 0 };
  const pauses: boolean[] = [];
  const owner = {
    finished: (reusable: boolean) => void (seen.finished = reusable),
    close: () => void (seen.abandoned = true),
    pause: (paused: boolean) => void pauses.push(paused),
  };
  const exchange = new Exchange(owner, () => void seen.over++);
  exchange.answer.catch(() => undefined);
  const points = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  points.sort((a, b) => a - b);
  for (const [index, start] of points.entries()) {
    const piece = bytes.subarray(start, points[index + 1] ?? bytes.length);
    if (piece.length > 0) exchange.receive(piece);
  }
  return { exchange, seen, pauses };
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

async function whole(answer: ByteReader): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let piece = await answer.read(); piece; piece = await answer.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('an answer', () => {
  test('is the same however it is split, by length and in chunks', async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (body, cuts, sizes, chunked) => {
        const framed = chunked ? inChunks(body, sizes) : body;
        const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
        const head = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-Two: a\r\n${framing}\r\nx-two: b\r\n\r\n`;
        const { exchange, seen } = feed(Buffer.concat([latin1(head), framed]), cuts);
        const answer = await exchange.answer;
        expect(answer.status).toBe(200);
        expect(answer.headers.get('x-two')).toBe('a, b');
        expect((await whole(answer)).equals(body)).toBe(true);
        expect(seen).toEqual({ finished: true, abandoned: false, over: 1 });
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  test('without a length ends with the connection, which is not used again', async () => {
    const { exchange, seen } = feed(latin1('HTTP/1.1 200 OK\r\n\r\nall of it'));
    const answer = await exchange.answer;
    const body = whole(answer);
    exchange.end(new Error('closed'));
    expect((await body).toString()).toBe('all of it');
    expect(seen.finished).toBe(false);
  });

  test('that breaks off is an error, before and after it is read', async () => {
    for (const text of [
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ]) {
      const { exchange } = feed(latin1(text));
      const body = whole(await exchange.answer);
      exchange.end(new Error('closed'));
      expect(await failure(body)).toMatchObject({ message: 'closed' });
      expect(await failure(whole(exchange))).toMatchObject({ message: 'closed' });
    }
  });

  test('larger than allowed is refused while it arrives', async () => {
    const tooLarge = { message: expect.stringContaining('too large') };
    const { exchange } = feed(latin1('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabcdef'));
    expect(await failure(readBytes(exchange, 5, running()))).toMatchObject(tooLarge);
    for (const length of [6, 99]) {
      const open = feed(latin1(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nabc`));
      const body = readBytes(open.exchange, 5, running());
      open.exchange.receive(latin1('def'));
      expect(await failure(body)).toMatchObject(tooLarge);
      // An answer that is still arriving is cut off.
      expect(open.seen.abandoned).toBe(length === 99);
    }
  });

  test('with a length and chunks is read in chunks', async () => {
    const both = 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n';
    const { exchange, seen } = feed(latin1(`HTTP/1.1 200 OK\r\n${both}`));
    expect((await whole(exchange)).toString()).toBe('body');
    expect(seen.finished).toBe(true);
  });

  test('can be read as it arrives: nothing lost or doubled, then the end', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 }),
      fc.array(fc.boolean(), { maxLength: 8 }),
      async (pieces, waits) => {
        const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
        const { exchange, seen } = feed(
          latin1(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`),
        );
        const read: Uint8Array[] = [];
        for (const [index, piece] of pieces.entries()) {
          // Each piece is read before or after it arrives; some wait until the next one has arrived.
          const early = waits[index] ? exchange.read() : undefined;
          exchange.receive(piece);
          const bytes = index % 3 === 2 && !early ? undefined : await (early ?? exchange.read());
          if (bytes) read.push(bytes);
        }
        for (let bytes = await exchange.read(); bytes; bytes = await exchange.read())
          read.push(bytes);
        expect(Buffer.concat(read).equals(Buffer.concat(pieces))).toBe(true);
        expect(seen).toEqual({ finished: true, abandoned: false, over: 1 });
      },
    );
    await fc.assert(property);
  });

  test('that breaks off while it is read gives what arrived, then the error', async () => {
    const { exchange, seen } = feed(latin1('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'));
    exchange.end(new Error('closed'));
    expect(Buffer.from((await exchange.read()) ?? []).toString()).toBe('half');
    expect(await failure(exchange.read())).toMatchObject({ message: 'closed' });
    expect(seen.over).toBe(1);
    const open = feed(latin1('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')).exchange;
    const waiting = open.read();
    open.end(new Error('closed'));
    expect(await failure(waiting)).toMatchObject({ message: 'closed' });
  });

  test('that nobody reads is paused, and continues when somebody reads', async () => {
    const head = latin1('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n');
    const { exchange, pauses } = feed(head);
    exchange.receive(new Uint8Array(UNREAD_MAX_BYTES));
    expect(pauses).toEqual([]);
    exchange.receive(new Uint8Array(1));
    expect(pauses).toEqual([true]);
    expect(await exchange.read()).toHaveLength(UNREAD_MAX_BYTES + 1);
    expect(pauses).toEqual([true, false]);
  });

  test.each([
    'SMTP ready\r\n\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\nfolded: a\r\n b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nname : a\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\n0\n\n',
    `HTTP/1.1 200 OK\r\n${'x'.repeat(70_000)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(70_000)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'x: y\r\n'.repeat(20_000)}`,
  ])('that is malformed is refused: %#', (text) => {
    expect(() => feed(latin1(text))).toThrow(MalformedResponse);
  });

  test('that breaks within its chunks first gives what arrived before, even in the same bytes', async () => {
    const { exchange } = feed(latin1('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
    const bytes = latin1('2\r\nok\r\n1\r\n!\r\nzz\r\n');
    expect(() => exchange.receive(bytes)).toThrow(MalformedResponse);
    exchange.fail(new MalformedResponse('a line of its chunks is broken'));
    expect(Buffer.from((await exchange.read()) ?? []).toString()).toBe('ok!');
    expect(await failure(exchange.read())).toBeInstanceOf(MalformedResponse);
  });

  test.each([
    'Content-Length: 2\r\n\r\nokHTTP/1.1 200',
    'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1 200',
  ])(
    'with more than its body is complete, and its connection is not used again: %#',
    async (rest) => {
      const { exchange, seen } = feed(latin1(`HTTP/1.1 200 OK\r\n${rest}`));
      expect((await whole(exchange)).toString()).toBe('ok');
      expect(seen.finished).toBe(false);
    },
  );

  test('that continues after its end loses its connection', async () => {
    const { exchange, seen } = feed(latin1('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    exchange.receive(latin1('HTTP/1.1 200'));
    expect(seen.abandoned).toBe(true);
    expect((await whole(exchange)).toString()).toBe('ok');
  });

  test.each([
    ['HTTP/1.1 204 No Content\r\n\r\n', true],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nConnection: Upgrade, Close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n', true],
  ])('says whether its connection stays open: %#', (text, stays) => {
    expect(feed(latin1(text)).seen.finished).toBe(stays);
  });
});

/** The body in chunks of these sizes in turn, one with an extension, and a trailer. */
function inChunks(body: Uint8Array, sizes: number[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0, index = 0; at < body.length; index++) {
    const piece = body.subarray(at, at + (sizes[index % sizes.length] ?? 1));
    const extension = index === 0 ? ';name=value' : '';
    parts.push(latin1(`${piece.length.toString(16)}${extension}\r\n`), piece, latin1('\r\n'));
    at += piece.length;
  }
  return Buffer.concat([...parts, latin1('0\r\nX-Trailer: 1\r\n\r\n')]);
}
