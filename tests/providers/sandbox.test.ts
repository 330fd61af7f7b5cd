import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { SandboxProvider } from '../../src/providers/sandbox/provider.ts';
import type { TextPart } from '../../src/providers/index.ts';
import { after, providerErrorOf, running, textRequest, usageOf } from './fixtures.ts';

const sandbox = new SandboxProvider();
const saying = (content: string) => ({
  ...textRequest,
  messages: [{ role: 'user' as const, content }],
});

describe('the text of the sandbox', () => {
  test('says what it is, repeats the message and reports its input', async () => {
    const { text, usage, finishReason } = await sandbox.generateText(
      after([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
      ]),
      running(),
    );
    expect(text).toBe(
      'This is the sandbox: no model was called. You wrote: “Hello there”. ' +
        'I was given 1 earlier message as context and a system prompt.',
    );
    const completionTokens = Math.ceil(Buffer.byteLength(text) / 4);
    expect(usage).toEqual(
      usageOf({ promptTokens: 8, completionTokens, totalTokens: 8 + completionTokens }),
    );
    expect(finishReason).toBe('stop');
  });

  test('is the same every time, with its own id', async () => {
    const first = await sandbox.generateText(textRequest, running());
    const second = await sandbox.generateText(textRequest, running());
    expect(second.text).toBe(first.text);
    expect(second.providerMessageId).not.toBe(first.providerMessageId);
  });

  test('shortens a long message between characters', async () => {
    const message = '😀'.repeat(5000);
    const request = { ...saying(message), maxOutputTokens: 10_000 };
    const { text } = await sandbox.generateText(request, running());
    expect(text).toContain(`“${'😀'.repeat(200)}…”`);
  });

  test('never has more tokens than allowed, and is cut between characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 60 }),
        async (message, cap) => {
          const request = { ...saying(message), maxOutputTokens: cap };
          const whole = await sandbox.generateText(
            { ...request, maxOutputTokens: 9999 },
            running(),
          );
          const { text, usage, finishReason } = await sandbox.generateText(request, running());
          expect(usage.completionTokens).toBeLessThanOrEqual(cap);
          expect(whole.text.startsWith(text)).toBe(true);
          expect(text.isWellFormed()).toBe(true);
          expect(finishReason).toBe(text === whole.text ? 'stop' : 'length');
        },
      ),
    );
  });

  test('ends before a stop text, and at its cap', async () => {
    const cut = await sandbox.generateText({ ...textRequest, stop: ['“', 'You'] }, running());
    expect(cut.text).toBe('This is the sandbox: no model was called. ');
    expect([cut.finishReason, cut.stopSequence]).toEqual(['stop', 'You']);
  });

  test.each([
    ['tools', { tools: [{ name: 'f' }] }],
    ['responseFormat', { responseFormat: { type: 'json_object' } }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'image', url: 'data:,' }] }] }],
  ] as const)('refuses %s by name', async (field, more) => {
    const call = () => sandbox.generateText({ ...textRequest, ...more }, running());
    expect(await providerErrorOf(call)).toMatchObject({ fault: 'unsupported', field });
  });

  test('streamed is the same in small parts', async () => {
    const parts: TextPart[] = [];
    for await (const part of sandbox.streamText(textRequest, running())) parts.push(...part);
    const { text, usage } = await sandbox.generateText(textRequest, running());
    expect(parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(text);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', answer: { usage } });
  });
});

describe('the image of the sandbox', () => {
  const draw = (prompt: string, seed?: number) =>
    sandbox.generateImage({ model: 'sandbox-image', prompt, seed }, running());

  test('is a PNG of 512 × 512 with more than one colour', async () => {
    const { bytes, contentType, seed } = await draw('a cat', 1);
    const png = PNG.sync.read(Buffer.from(bytes));
    expect([png.width, png.height, contentType, seed]).toEqual([512, 512, 'image/png', 1]);
    expect(new Set(png.data).size).toBeGreaterThan(32);
    expect(bytes.length).toBeLessThan(300 * 1024);
  });

  test('is the same for the same seed and prompt, and different for others', async () => {
    const first = await draw('a cat', 7);
    expect((await draw('a cat', 7)).bytes).toEqual(first.bytes);
    for (const [prompt, seed] of [
      ['a cat', 8],
      ['a cat', 7.5],
      ['a dog', 7],
    ] as const) {
      expect((await draw(prompt, seed)).bytes).not.toEqual(first.bytes);
    }
  });

  test('has one size and quality: others are named in a warning, or refused', async () => {
    const request = { model: 'sandbox-image', prompt: 'a cat', size: '64x64', quality: 'hd' };
    const { warnings } = await sandbox.generateImage(request, running());
    expect(warnings).toEqual([
      'The sandbox only supports the size 512x512. It was left out.',
      'The sandbox does not support quality levels. It was left out.',
    ]);
    const strict = () => sandbox.generateImage({ ...request, refuseUnsupported: true }, running());
    expect(await providerErrorOf(strict)).toMatchObject({ fault: 'unsupported', field: 'size' });
  });

  test('reports its random seed, which gives the same image again', async () => {
    const random = await draw('a cat');
    expect((await draw('a cat')).seed).not.toBe(random.seed);
    expect((await draw('a cat', random.seed ?? NaN)).bytes).toEqual(random.bytes);
  });
});

test('the sandbox stops on request', async () => {
  const controller = new AbortController();
  const stream = sandbox.streamText(textRequest, controller.signal);
  await stream.next();
  controller.abort();
  expect(await providerErrorOf(() => stream.next())).toMatchObject({ fault: 'failed' });
  const late = () =>
    sandbox.generateText(textRequest, AbortSignal.abort(new DOMException('', 'TimeoutError')));
  expect(await providerErrorOf(late)).toMatchObject({ fault: 'timeout' });
});
