/** How many streams a user may have open, and when a stream counts no longer. */
import { describe, expect, test } from 'bun:test';
import { OpenStreams } from '../../src/http/open-streams.ts';
import { failure } from '../support/failure.ts';

const request = new Request('http://gateway.test/');
const write = () => 'data: x\n\n';

describe('open streams of a user', () => {
  test('are bounded, and do not count against others', async () => {
    const streams = new OpenStreams(2);
    const open = (user: number) =>
      streams.open(user, request, write, async (body) => body.response({}));
    const [first, second] = [await open(1), await open(1)];
    expect(await failure(open(1))).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    await open(2);
    await first.body?.cancel();
    await first.body?.cancel();
    const third = await open(1);
    expect(await failure(open(1))).toMatchObject({ code: 'rate_limited' });
    await second.body?.cancel();
    await third.body?.cancel();
  });

  test('count no longer when the client has read all, or the send failed', async () => {
    const streams = new OpenStreams(1);
    const read = await streams.open(1, request, write, async (body) => {
      body.push([{ type: 'delta', text: 'Hi' }]);
      body.end();
      return body.response({});
    });
    expect(await read.text()).toBe('data: x\n\n');
    const refused = streams.open(1, request, write, () => Promise.reject(new Error('no money')));
    expect(String(await failure(refused))).toContain('no money');
    await streams.open(1, request, write, async (body) => body.response({}));
  });
});
