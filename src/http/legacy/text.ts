import iconv from 'iconv-lite';

export type LegacyCharset = 'utf-8' | 'windows-1251';

/**
 * Reads `a=1&b=2` with percent escapes. Bytes that are not valid UTF-8 are read in the legacy charset: old clients
 * escaped Cyrillic in windows-1251.
 * @param text the raw query or body, with one character for each byte that is not ASCII
 */
export function parseForm(text: string, charset: LegacyCharset): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split('&')) {
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut), charset);
    // The first value of a repeated field counts, so that nobody can override it by appending another value.
    if (name !== '' && !fields.has(name)) {
      fields.set(name, decode(cut < 0 ? '' : pair.slice(cut + 1), charset));
    }
  }
  return fields;
}

/** Printable ASCII without percent escapes, as in domains and numbers. */
const PLAIN = /^[!-$&-*,-~]*$/;

function decode(escaped: string, charset: LegacyCharset): string {
  if (PLAIN.test(escaped)) return escaped;
  const bytes = percentDecode(escaped);
  try {
    return utf8.decode(bytes);
  } catch {
    return new TextDecoder(charset).decode(bytes);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function percentDecode(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const escape = text.slice(index + 1, index + 3);
    if (text[index] === '%' && /^[0-9a-f]{2}$/i.test(escape)) {
      bytes.push(Number.parseInt(escape, 16));
      index += 2;
    } else if (text[index] === '+') bytes.push(0x20);
    else if (code < 256) bytes.push(code);
    else bytes.push(...new TextEncoder().encode(text[index]));
  }
  return Uint8Array.from(bytes);
}

/** Plain text in the operator's charset. Characters that windows-1251 lacks become `?`. */
export function legacyText(
  text: string,
  charset: LegacyCharset,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  const body = charset === 'utf-8' ? text : encode(text, charset);
  return new Response(body, {
    status,
    headers: {
      'content-type': `text/plain; charset=${charset}`,
      ...headers,
    },
  });
}

function encode(text: string, charset: LegacyCharset): Uint8Array<ArrayBuffer> {
  // NFC, since the charset has `й`, but not `и` with a combining breve. The encoder would write two `?` for a character
  // beyond the basic plane, and the one undefined byte of the charset for U+FFFD.
  const known = text.normalize('NFC').replaceAll(/[\u{10000}-\u{10FFFF}\uFFFD]/gu, '?');
  return new Uint8Array(iconv.encode(known, charset));
}
