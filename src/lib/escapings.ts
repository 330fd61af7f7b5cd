/** Finds the escapes of one kind. */
export type Escaping = RegExp;

/** Of JSON and its kin with runs of bytes, of addresses (runs of bytes, too), and of HTML. */
export const escapings: readonly Escaping[] = [
  /(?:\\x[0-9a-f]{2})+|\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\./gis,
  /(?:%[0-9a-f]{2})+/gi,
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|quot|apos|amp|lt|gt|nbsp);/gi,
];

/** A text with the escapes of one kind undone, once. */
export function undone(text: string, escaping: Escaping): string {
  return text.replace(escaping, undo);
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

/** What an escape stands for; it is never longer than the escape. */
export function undo(escape: string): string {
  if (escape.startsWith('%')) return bytesOf(escape.slice(1).split('%'));
  if (escape.startsWith('&#')) {
    const isHex = /^&#x/i.test(escape);
    return character(Number.parseInt(escape.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10));
  }
  if (escape.startsWith('&')) return entities[escape.slice(1, -1).toLowerCase()] ?? '';
  if (/^\\x../is.test(escape)) return bytesOf(escape.slice(2).split(/\\x/i));
  const hex = /^\\u\{?([0-9a-f]+)\}?$/i.exec(escape)?.[1];
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  const name = escape.slice(1);
  return controls[name] ?? name;
}

function character(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** UTF-8, which may be cut at its ends, or else a character a byte, as Python writes those below 256. */
function bytesOf(hex: readonly string[]): string {
  const bytes = Buffer.from(hex.join(''), 'hex');
  const isContinuation = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let start = 0;
  while (start < 3 && isContinuation(start)) start++;
  for (let end = bytes.length; end >= Math.max(start, bytes.length - 3); end--) {
    const text = utf8(bytes.subarray(start, end));
    if (text !== undefined) return text;
  }
  return bytes.toString('latin1');
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
