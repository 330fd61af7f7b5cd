import { newImageId, type StoredImage } from '../../images/index.ts';
import { invalidField } from '../../lib/errors.ts';
import type { GivenImage, SentImages } from './kinds/kind.ts';
import type { SendInput } from './send-input.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';

/** @returns undefined for a send without images @throws `invalid_request` that names the wrong image */
export function sentImages(input: SendInput): SentImages | undefined {
  if (input.kind !== 'room' || !input.images?.length) return undefined;
  const given: GivenImage[] = [];
  const names = input.images.map((url, at) => {
    if (url.startsWith('https://')) return url;
    const image = imageOf(url, `images.${at}`);
    given.push(image);
    return image.id;
  });
  return { names, given };
}

function imageOf(url: string, field: string): GivenImage {
  const comma = url.indexOf(',');
  const contentType = url.slice('data:'.length, url.indexOf(';'));
  try {
    const bytes = Uint8Array.fromBase64(url.slice(comma + 1));
    if (bytes.length > 0) return { id: newImageId(contentType), bytes, contentType };
  } catch {
    // Refused below, like an image without bytes.
  }
  throw invalidField(field, 'must be an https URL, or a data: URL of an image in base64');
}

/** The bytes of the images together. */
export function bytesOfImages(images: SentImages | undefined): number {
  return images?.given.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
}

/**
 * Stores the images of a send before its model is called, so that a store that fails costs nothing. The settle keeps
 * them, or `discardImages` removes them.
 * @throws ImageStoreUnavailableError
 */
export async function storeImages({ commit, images }: SenderParts, held: HeldSend): Promise<void> {
  const { userId, messageId, input } = held;
  const owner = { userId, roomId: input.roomId, messageId };
  for (const { id, bytes, contentType } of held.images?.given ?? []) {
    const stored = await commit.whileAway(() => images.save(owner, bytes, contentType, id));
    held.storedImages.push(stored);
  }
}

/** Removes images that their message did not keep. Never throws. */
export async function discardImages(
  { images }: SenderParts,
  stored: readonly StoredImage[],
): Promise<void> {
  for (const { id } of stored) await images.removal.discard(id);
}
