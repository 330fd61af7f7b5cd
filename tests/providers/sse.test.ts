import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SSE_BUFFER_MAX, SseParser, type SseEvent } from '../../src/providers/shared/sse.ts';
import { providerErrorOf } from './fixtures.ts';

const encoder = new TextEncoder();

function parse(pieces: Uint8Array[]): SseEvent[] {
  const parser = new SseParser();
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

describe('server-sent events', () => {
  test.each([
    ['data: a\n\n', [{ event: '', data: 'a' }]],
    [
      'data:a\r\rdata: b\r\n\r\n',
      [
        { event: '', data: 'a' },
        { event: '', data: 'b' },
      ],
    ],
    ['data: a\ndata\ndata:  b\n\n', [{ event: '', data: 'a\n\n b' }]],
    [': ping\n\nevent: error\nid: 1\nretry: 5\ndata: x\n\n', [{ event: 'error', data: 'x' }]],
    ['event: nothing\n\n', []],
    [
      'event: error\ndata: x\n\ndata: y\n\nevent: error\n\ndata: z\n\n',
      [
        { event: 'error', data: 'x' },
        { event: '', data: 'y' },
        { event: '', data: 'z' },
      ],
    ],
    ['\uFEFFdata: bom\n\n', [{ event: '', data: 'bom' }]],
    ['data: no blank line', [{ event: '', data: 'no blank line' }]],
    ['', []],
  ])('%j', (stream, events) => {
    expect(parse([encoder.encode(stream)])).toEqual(events);
  });

  test('are delivered as soon as they are complete', () => {
    const parser = new SseParser();
    expect(parser.push(encoder.encode('data: a\n'))).toEqual([]);
    expect(parser.push(encoder.encode('\ndata: b'))).toEqual([{ event: '', data: 'a' }]);
  });

  test('are read as written, whatever the line ends and pieces', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, ''));
    const eol = fc.constantFrom('\n', '\r\n', '\r');
    const events = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(events, eol, cuts, (written, end, shares) => {
        const text = written.map((lines) => lines.map((l) => `data: ${l}${end}`).join('') + end);
        const bytes = encoder.encode(text.join(''));
        const bounds = shares
          .map((share) => Math.floor(share * bytes.length))
          .sort((a, b) => a - b);
        const pieces = [...bounds, bytes.length].map((to, i) =>
          bytes.subarray(bounds[i - 1] ?? 0, to),
        );
        expect(parse(pieces)).toEqual(
          written.map((lines) => ({ event: '', data: lines.join('\n').toWellFormed() })),
        );
      }),
    );
  });

  test('end at the limit in a line without an end', async () => {
    const parser = new SseParser();
    parser.push(encoder.encode('data: '));
    const piece = encoder.encode('a'.repeat(SSE_BUFFER_MAX / 4));
    const error = await providerErrorOf(() => {
      for (let i = 0; i < 5; i++) parser.push(piece);
    });
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('end at the limit in an event of many lines', async () => {
    const parser = new SseParser();
    const piece = encoder.encode(`data: ${'a'.repeat(SSE_BUFFER_MAX / 4)}\n`);
    const error = await providerErrorOf(() => {
      for (let i = 0; i < 5; i++) parser.push(piece);
    });
    expect(error.fault).toBe('failed');
  });

  test('are refused if they are not UTF-8, also with an incomplete character', async () => {
    const latin1 = Uint8Array.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xcf, 0xf0, 0x0a, 0x0a]);
    expect((await providerErrorOf(() => parse([latin1]))).fault).toBe('failed');
    expect((await providerErrorOf(() => parse([latin1.subarray(0, 6)]))).fault).toBe('failed');
  });
});
