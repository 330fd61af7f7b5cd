/** The number of streams that a user may have open, and when a stream no longer counts. */
import { describe, expect, test } from 'bun:test';
import type { EventBody } from '../../src/http/event-stream.ts';
import { OpenStreams } from '../../src/http/open-streams.ts';
import { movableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openGateway } from '../support/gateway.ts';

const request = new Request('http://gateway.test/');
const write = () => 'data: x\n\n';

/** Streams that `begin` controls; `released` counts requests whose bodies were released. */
function streamsOf(max: number) {
  const clock = movableClock();
  const streams = new OpenStreams(max, clock);
  const counts = { released: 0 };
  const facts = { takeAtEnd: () => () => void counts.released++ };
  const open = (user: number, begin: (body: EventBody) => Promise<Response>) =>
    streams.open(user, request, facts, write, begin);
  const json = (data: AsyncGenerator<string>) => streams.json(1, data);
  return { open, counts, json, streams, clock };
}

const nobody = async () => new Map();

const running = async (body: EventBody) => body.response({});
const ended = async (body: EventBody) => {
  body.push([{ type: 'delta', text: 'Hi' }]);
  body.end();
  return body.response({});
};

describe('open streams of a user', () => {
  test('are bounded, and do not count against others', async () => {
    const { open, counts } = streamsOf(2);
    const first = await open(1, ended);
    await open(1, running);
    const refused = { code: 'rate_limited', retryAfterSeconds: 1 };
    expect(await failure(open(1, ended))).toMatchObject(refused);
    await open(2, running);
    await first.body?.cancel();
    await first.body?.cancel();
    expect(counts.released).toBe(1);
    await open(1, running);
    expect(await failure(open(1, ended))).toMatchObject(refused);
  });

  test('count until the send has ended, also after the client has left', async () => {
    const { open, counts } = streamsOf(1);
    let left: EventBody | undefined;
    const response = await open(1, (body) => running((left = body)));
    await response.body?.cancel();
    expect(await failure(open(1, ended))).toMatchObject({ code: 'rate_limited' });
    expect(counts.released).toBe(0);
    left?.end();
    expect(counts.released).toBe(1);
    await open(1, running);
  });

  test('count no longer when the client has read all, or the send failed', async () => {
    const { open, counts } = streamsOf(1);
    const read = await open(1, ended);
    expect(await read.text()).toBe('data: x\n\n');
    const failed = open(1, () => Promise.reject(new Error('no money')));
    expect(String(await failure(failed))).toContain('no money');
    expect(counts.released).toBe(2);
    await open(1, running);
  });
});

describe('an answer of JSON that is made in pieces', () => {
  async function* pieces(made: string[]): AsyncGenerator<string> {
    try {
      for (const piece of ['[1', ',2', ',3]']) {
        made.push(piece);
        yield piece;
      }
    } finally {
      made.push('closed');
    }
  }
  const beginning = '{"status":"ok","data":';

  test('counts as an open stream until it is read, or its client has left', async () => {
    const { json, open } = streamsOf(2);
    const first = json(pieces([]));
    const second = json(pieces([]));
    expect(() => json(pieces([]))).toThrow('you have 2 open streams');
    expect(await failure(open(1, ended))).toMatchObject({ code: 'rate_limited' });
    expect(await first.text()).toBe(`${beginning}[1,2,3]}`);
    await second.body?.cancel();
    await open(1, ended);
    await open(1, ended);
  });

  test('is cut when its client takes nothing for two minutes', async () => {
    const { json, streams, clock } = streamsOf(1);
    const made: string[] = [];
    const reader = json(pieces(made)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(beginning);
    clock.forward(119_000);
    await streams.endThose(nobody);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('[1');
    // Meanwhile the next piece is made.
    await Bun.sleep(0);
    clock.forward(119_000);
    await streams.endThose(nobody);
    expect(made).not.toContain('closed');
    clock.forward(2_000);
    await streams.endThose(nobody);
    expect(String(await failure(reader?.read() ?? Promise.resolve()))).toContain('takes nothing');
    expect(made).toContain('closed');
    json(pieces([]));
  });

  test('is not cut while a piece takes long to make', async () => {
    const { json, streams, clock } = streamsOf(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = async function* () {
      await promise;
      yield '1';
    };
    const text = json(slow()).text();
    await Bun.sleep(0);
    clock.forward(300_000);
    await streams.endThose(nobody);
    resolve();
    expect(await text).toBe(`${beginning}1}`);
  });

  test('goes out in pieces of at most 64 KiB', async () => {
    const { json } = streamsOf(1);
    const long = async function* () {
      yield `"${'x'.repeat(200_000)}"`;
    };
    const sizes: number[] = [];
    for await (const piece of json(long()).body ?? []) sizes.push(piece.length);
    expect(Math.max(...sizes)).toBe(65_536);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(beginning.length + 200_002 + 1);
  });
});

for (const dialect of dialects) {
  test(`${dialect}: histories and exports that nobody reads are limited for each user`, async () => {
    await using gateway = await openGateway(dialect, { env: { ZASTAVA_USER_STREAMS_MAX: '3' } });
    const { token } = await gateway.addUser();
    const other = await gateway.addUser();
    const room_id = await gateway.room(token);
    const open = (path: string, body: object) =>
      gateway.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const unread = [
      await open('/ai/history/', { room_id }),
      await open('/account/export/', {}),
      await open('/ai/history/', { room_id }),
    ];
    const refused = await gateway.post('/ai/history/', { room_id }, { token });
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('1');
    await gateway.data('/account/export/', {}, other);
    expect(await unread[0]?.json()).toMatchObject({ status: 'ok' });
    expect((await open('/ai/history/', { room_id })).status).toBe(200);
  });
}
