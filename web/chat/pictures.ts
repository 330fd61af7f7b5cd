import type { Model } from '../api/types.ts';

/** A picture of a message. */
export interface Picture {
  /** The URL that the page shows; for a picture elsewhere, its address. */
  src: string;
  /** Absent: it is on the server, or elsewhere. */
  blob?: Blob;
}

/** The most pictures of one message: with their base64 they fit into a body of 4 MiB. */
export const PICTURES_MAX = 4;
const PICTURE_MAX_BYTES = 700 * 1024;
/** Pixels of the longer side of a picture that was reduced. */
const SIDE_MAX = 1_600;
const QUALITIES = [0.85, 0.6, 0.4];
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

export function takesPictures(model: Model | undefined): boolean {
  return model?.is_image_input_allowed === 1 && model.type === 'TEXT';
}

/** Pictures from these files, reduced if necessary. Other files are skipped. */
export async function picturesOf(files: Iterable<File>): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const file of files) {
    const blob = await fitting(file).catch(() => undefined);
    if (blob) pictures.push({ src: URL.createObjectURL(blob), blob });
  }
  return pictures;
}

async function fitting(file: Blob): Promise<Blob | undefined> {
  if (types.includes(file.type) && file.size <= PICTURE_MAX_BYTES) return file;
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (blob.size <= PICTURE_MAX_BYTES) return blob;
  }
  return undefined;
}

/** The pictures in the form of a send. */
export async function sentPictures(pictures: readonly Picture[]): Promise<string[] | null> {
  if (pictures.length === 0) return null;
  return Promise.all(
    pictures.map(async ({ src, blob }) => {
      if (!blob && !src.startsWith('/')) return src;
      return dataUrl(blob ?? (await (await fetch(src)).blob()));
    }),
  );
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(blob);
  });
}

/** A picture in the history: one on this server by its path, others by their URL. */
export function pictureOf(url: string): Picture {
  const path = URL.parse(url)?.pathname ?? '';
  return { src: /^\/images\/[\da-f]{48}\.\w+$/.test(path) ? path : url };
}
