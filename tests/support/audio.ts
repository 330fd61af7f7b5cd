/** Audio files of a known length, made here. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
  type AudioCodec,
  type OutputFormat,
} from 'mediabunny';

const SAMPLE_RATE = 16_000;

/** Uncompressed silence of this many seconds: 32,000 bytes a second. */
export function wavOf(seconds: number): Uint8Array<ArrayBuffer> {
  const data = Math.round(seconds * SAMPLE_RATE) * 2;
  const bytes = Buffer.alloc(44 + data);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + data, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLE_RATE, 24);
  bytes.writeUInt32LE(SAMPLE_RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(data, 40);
  return new Uint8Array(bytes);
}

/** Frames of 1,152 samples at 44.1 kHz and 128 kbit/s, without a header that gives their number. */
export function mp3Of(frames: number): Uint8Array {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00);
  return new Uint8Array(Buffer.concat(Array.from({ length: frames }, () => frame)));
}

/** A recording of a browser: its header does not say how long it is. */
export function recordedWebm(seconds: number): Promise<Uint8Array> {
  return packed(new WebMOutputFormat({ appendOnly: true }), 'opus', seconds);
}

export function m4aOf(seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  return packed(new Mp4OutputFormat(), 'aac', seconds);
}

const PACKET_S = 0.02;

async function packed(format: OutputFormat, codec: AudioCodec, seconds: number) {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = {
    codec: codec === 'aac' ? 'mp4a.40.2' : codec,
    sampleRate: 48_000,
    numberOfChannels: 1,
    ...(codec === 'aac' && { description: new Uint8Array([0x11, 0x90]) }),
  };
  for (let at = 0; at < seconds / PACKET_S; at++) {
    const data = new Uint8Array(40).fill(0x78);
    const packet = new EncodedPacket(data, 'key', at * PACKET_S, PACKET_S);
    await source.add(packet, at === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}
