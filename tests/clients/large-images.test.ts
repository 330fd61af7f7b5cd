/** Large images are passed on as received, in each interface and to each dialect. */
import { describe, expect, test } from 'bun:test';
import { frontNames, upstreamNames, upstreams, type Front } from '../support/upstreams.ts';

const small = Buffer.from('a small image').toString('base64');
/** Long enough to be passed on undecoded; its slashes are escaped, as JSON allows. */
const large = `${Buffer.from('a larger image?>'.repeat(3_200)).toString('base64')}/w==`;

/** A conversation with a text and these images. */
function conversation(front: Front, images: string[], text: string): object {
  const url = (data: string) => `data:image/png;base64,${data}`;
  const content = {
    chat: [
      { type: 'text', text },
      ...images.map((data) => ({ type: 'image_url', image_url: { url: url(data) } })),
    ],
    responses: [
      { type: 'input_text', text },
      ...images.map((data) => ({ type: 'input_image', image_url: url(data) })),
    ],
    messages: [
      { type: 'text', text },
      ...images.map((data) => ({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data },
      })),
    ],
  }[front];
  const messages = [{ role: 'user', content }];
  return front === 'responses' ? { input: messages } : { messages };
}

const cases = frontNames.flatMap((front) => upstreamNames.map((up) => [front, up] as const));

describe('an image', () => {
  const at = upstreams();

  test.each(cases)('of %s reaches %s as it was sent, small or large', async (front, up) => {
    for (const stream of [false, true]) {
      const sent = async (images: string[], text: string) => {
        // A stored response is read.
        const store = front === 'responses' ? { store: stream } : {};
        const given = { ...conversation(front, images, text), ...store, stream };
        const { status } = await at().post(front, up, given);
        expect(status).toBe(200);
        return JSON.stringify(at().received.at(-1));
      };
      const usual = await sent([small, `${small}=`], 'Look');
      const passed = await sent([large, `${large}=`], 'Look');
      expect(passed).toContain(large);
      expect(passed.replaceAll(large, small) === usual).toBe(true);
      // A text that only looks like base64 stays a text.
      const beside = await sent([large, `${small}=`], large);
      expect(beside === usual.replace('Look', large).replace(small, large)).toBe(true);
    }
  });
});
