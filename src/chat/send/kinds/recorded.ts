/**
 * The most bytes of UTF-8 that a room records of the instructions, and of the last message, of a request under `/v1`.
 * Together they are as long as the largest body of `/ai/send/`: a longer text would hold up every other write.
 */
export const RECORDED_MAX_BYTES = 2 * 1024 * 1024;
/** A UTF-16 unit has at most this many bytes in UTF-8. */
const UNIT_BYTES_MAX = 3;

const encoder = new TextEncoder();

/** A text as the history records it: a longer one is cut, with a note of how much is missing. */
export function recorded(text: string): string {
  if (text.length * UNIT_BYTES_MAX <= RECORDED_MAX_BYTES) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= RECORDED_MAX_BYTES) return text;
  const { read, written } = encoder.encodeInto(text, new Uint8Array(RECORDED_MAX_BYTES));
  return `${text.slice(0, read)}\n[${bytes - written} more bytes were sent]`;
}
