/**
 * The most bytes of UTF-8 that a room records of the instructions, and of the last message, of a request under `/v1`.
 * Together they are as long as the largest body of `/ai/send/`: a longer text would hold up every other write.
 */
export const RECORDED_MAX_BYTES = 2 * 1024 * 1024;
/** A UTF-16 unit has at most this many bytes in UTF-8. */
const UNIT_BYTES_MAX = 3;

/** So many bytes at the end are encoded, all before are only counted, which takes a tenth of the time. */
const ENCODED_BYTES = 1024;

const encoder = new TextEncoder();

/** A text as the history records it: a longer one is cut, with a note of how much is missing. */
export function recorded(text: string): string {
  if (text.length * UNIT_BYTES_MAX <= RECORDED_MAX_BYTES) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= RECORDED_MAX_BYTES) return text;
  const { units, missing } = beginning(text, bytes);
  return `${text.slice(0, units)}\n[${missing} more bytes were sent]`;
}

/** The most characters that are recorded, in UTF-16 units, and the bytes of those after them. */
function beginning(text: string, bytes: number): { units: number; missing: number } {
  let [units, left] = [0, RECORDED_MAX_BYTES];
  while (left > ENCODED_BYTES) {
    // Fits, whatever the letters are.
    let end = units + Math.floor(left / UNIT_BYTES_MAX);
    if (isFirstHalf(text.charCodeAt(end - 1))) end--;
    left -= Buffer.byteLength(text.slice(units, end));
    units = end;
  }
  const { read, written } = encoder.encodeInto(
    text.slice(units, units + left),
    new Uint8Array(left),
  );
  return { units: units + read, missing: bytes - RECORDED_MAX_BYTES + left - written };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
