/** Images in the bytes of a JSON body, which are passed on without being parsed. */
import { decodePassed, standInFor, type PassedTexts } from '../../lib/passed-texts.ts';

/** A shorter text costs more to pass on than to parse. */
export const PASSED_FROM_BYTES = 64 * 1024;
/** The most bytes before the data in a `data:` URL. */
const HEAD_MAX_BYTES = 100;
/** The part before the data of a `data:` URL; JSON may write its slash as `\/`. */
const dataUrlHead = /^data:image\\?\/[\w.+-]+(?:;[\w=-]+)*;base64,/i;

const ESCAPE = 0x5c;
const SLASH = 0x2f;
const isBase64 = new Uint8Array(256);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_') {
  isBase64[letter.charCodeAt(0)] = 1;
}

/**
 * Where the base64 of a text begins and ends. The text may be a `data:` URL of an image.
 * @returns undefined if the text is not base64
 */
export function base64Of(bytes: Uint8Array, begin: number, end: number) {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + begin, HEAD_MAX_BYTES).toString(
    'latin1',
  );
  const first = begin + (dataUrlHead.exec(head)?.[0].length ?? 0);
  for (let at = first; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === ESCAPE && bytes[at + 1] === SLASH) at++;
    else if (isBase64[byte] === 0) return undefined;
  }
  return [first, end] as const;
}

/** The body with stand-ins in place of the texts. */
export function withStandIns({ mark, bytes, places }: PassedTexts): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [index, [begin, end]] of places.entries()) {
    pieces.push(bytes.subarray(at, begin), Buffer.from(standInFor(mark, index)));
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}

export function passedBytes(passed: PassedTexts | undefined): number {
  return passed?.places.reduce((sum, [begin, end]) => sum + end - begin, 0) ?? 0;
}

/** Counts the passed texts whose stand-in is at the end of one of `texts`. */
export function passedIn({ mark, places }: PassedTexts, texts: readonly string[]): number {
  const ends = new Set(texts.map((text) => text.slice(text.lastIndexOf(mark))));
  return places.filter((_, index) => ends.has(standInFor(mark, index))).length;
}

/** Replaces all stand-ins inside a value with their texts. */
export function decodeAll(passed: PassedTexts, branch: object): void {
  const members = branch as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'string') members[name] = decodePassed(passed, member);
    else if (typeof member === 'object' && member !== null) decodeAll(passed, member);
  }
}
