import type { ImageAnswer, Usage } from '../spec.ts';
import { malformedAnswer } from './failures.ts';
import type { Sent } from './unsupported.ts';

/** First bytes of the formats that a provider may send. */
const signatures: readonly { type: string; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  // `RIFF`, four bytes of length, `WEBP`.
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
];

interface ImageFacts extends Sent {
  usage: Usage;
  providerMessageId?: string | null;
}

/**
 * The content type comes from the bytes, whatever the provider says.
 * @throws ProviderError `failed` if the bytes are not an image in a known format
 */
export function imageAnswer(bytes: Uint8Array, facts: ImageFacts): ImageAnswer {
  const { usage, seed, warnings, providerMessageId = null } = facts;
  const contentType = signatures.find((signature) =>
    signature.bytes.every((byte, i) => bytes[signature.at + i] === byte),
  )?.type;
  if (contentType === undefined) {
    throw malformedAnswer('it is not a PNG, JPEG, WebP or GIF image', { usage });
  }
  return { bytes, contentType, providerMessageId, usage, finishReason: 'stop', seed, warnings };
}

/** @throws ProviderError `failed` with the usage if the text is not base64 */
export function decodeImage(base64: string, usage: Usage): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw malformedAnswer('its image is not base64', { usage });
  }
}
