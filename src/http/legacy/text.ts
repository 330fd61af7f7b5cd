import iconv from 'iconv-lite';
import type { LegacyCharset } from './form.ts';

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
      // No cache may keep an answer of this interface.
      'cache-control': 'no-store',
      ...headers,
    },
  });
}

function encode(text: string, charset: LegacyCharset): Uint8Array<ArrayBuffer> {
  // NFC, since the charset has `й`, but not `и` with a combining breve. The encoder would write two `?` for a character
  // beyond the basic plane, and for U+FFFD the one byte that the charset leaves undefined.
  const known = text.normalize('NFC').replaceAll(/[\u{10000}-\u{10FFFF}\uFFFD]/gu, '?');
  return new Uint8Array(iconv.encode(known, charset));
}
