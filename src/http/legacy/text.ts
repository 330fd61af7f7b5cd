import iconv from 'iconv-lite';
import type { LegacyCharset } from './form.ts';

/** Plain text in the operator's charset; what windows-1251 lacks becomes `?`. */
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
      // Nothing of this interface may be kept by a cache.
      'cache-control': 'no-store',
      ...headers,
    },
  });
}

function encode(text: string, charset: LegacyCharset): Uint8Array<ArrayBuffer> {
  // A letter may come as another one and an accent, `й` as `и` and a breve: the charset has the letter alone.
  // The encoder would write a `?` for each half of a character beyond the basic plane, and for the sign of a
  // broken character the one byte that the charset leaves undefined.
  const known = text.normalize('NFC').replaceAll(/[\u{10000}-\u{10FFFF}\uFFFD]/gu, '?');
  return new Uint8Array(iconv.encode(known, charset));
}
