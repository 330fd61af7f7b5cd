/** The thread that finds out how long audio is. */
import { ALL_FORMATS, BufferSource, Input, type InputAudioTrack } from 'mediabunny';
import { messageOf } from '../../lib/errors.ts';
import { yieldCores } from '../../lib/yield-cores.ts';
import type { DurationAnswer } from './duration.ts';

declare const self: Worker;

yieldCores();

self.addEventListener('message', ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  void secondsIn(data).then(
    (seconds) => answer({ seconds }),
    (error: unknown) => answer({ failure: messageOf(error) }),
  );
});

function answer(of: DurationAnswer): void {
  self.postMessage(of, []);
}

/** @returns null if the bytes are not audio, or contain no frame */
async function secondsIn(bytes: Uint8Array<ArrayBuffer>): Promise<number | null> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    const seconds = track ? await durationOf(track) : 0;
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  } catch {
    // For a damaged file the library may throw anything.
    return null;
  } finally {
    input.dispose();
  }
}

/** The end of the last frame, counted from 0 even if the first frame starts later: the whole file is billed. */
function durationOf(track: InputAudioTrack): Promise<number> {
  return track.computeDuration();
}
