/** The length of an audio file, which decides how much is held for it. */
import { describe, expect, test } from 'bun:test';
import { secondsOfAudio } from '../../src/chat/index.ts';
import { m4aOf, mp3Of, recordedWebm, wavOf } from '../support/audio.ts';

const noAudio = { code: 'invalid_request', details: [{ path: 'file' }] };

describe('the length of audio', () => {
  test.each([
    ['wav', () => wavOf(12), 12],
    ['a part of a second in wav', () => wavOf(3.01), 4],
    ['less than a second', () => wavOf(0.02), 1],
    // 1,000 × 1,152 / 44,100 = 26.12 s.
    ['mp3, by its frames', () => mp3Of(1_000), 27],
    ['webm that a browser recorded', () => recordedWebm(7.5), 8],
    ['m4a', () => m4aOf(7), 7],
  ])('%s', async (_name, make, seconds) => {
    expect(await secondsOfAudio(await make(), 1)).toBe(seconds);
  });

  test.each([
    ['text', () => Buffer.from('this is no audio')],
    ['nothing', () => new Uint8Array()],
    ['a head without sound', () => wavOf(0)],
    ['a head that is cut off', () => wavOf(5).slice(0, 30)],
    ['webm without a frame', async () => (await recordedWebm(7)).slice(0, 300)],
  ])('is not found in %s', async (_name, make) => {
    const error = await secondsOfAudio(await make(), 1).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(noAudio);
  });

  test('bytes after the sound of a wav do not count', async () => {
    const bytes = Buffer.from(wavOf(60));
    bytes.writeUInt32LE(32_000, 40);
    expect(await secondsOfAudio(new Uint8Array(bytes), 1)).toBe(1);
  });

  test('files of several users are read in turn', async () => {
    const files = [1, 2, 3].flatMap((user) => [1, 2].map((seconds) => ({ user, seconds })));
    const found = await Promise.all(
      files.map(({ user, seconds }) => secondsOfAudio(wavOf(seconds), user)),
    );
    expect(found).toEqual(files.map(({ seconds }) => seconds));
  });
});
