/** How many streams a user may have open, and when a stream counts no longer. */
import { describe, expect, test } from 'bun:test';
import type { EventBody } from '../../src/http/event-stream.ts';
import { OpenStreams } from '../../src/http/open-streams.ts';
import { failure } from '../support/failure.ts';

const request = new Request('http://gateway.test/');
const write = () => 'data: x\n\n';

/** Streams of which `begin` decides everything; `released` counts requests whose bodies are forgotten. */
function streamsOf(max: number) {
  const streams = new OpenStreams(max);
  const counts = { released: 0 };
  const facts = { takeAtEnd: () => () => void counts.released++ };
  const open = (user: number, begin: (body: EventBody) => Promise<Response>) =>
    streams.open(user, request, facts, write, begin);
  return { open, counts };
}

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
