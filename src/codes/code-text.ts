import { bech32m } from '@scure/base';
import { invalidField } from '../lib/errors.ts';
import { sha256Hex } from '../lib/ids.ts';

/**
 * Codes that people type, for vouchers and invitations: 128 random bits and a checksum in bech32m (BIP 350), which
 * detects up to four wrong characters and distinguishes the two kinds of code. They are printed without the prefix, in
 * upper case and in groups of four.
 */
export type CodeKind = 'voucher' | 'invitation';

const prefixes: Readonly<Record<CodeKind, string>> = { voucher: 'zv', invitation: 'zi' };
const CODE_BYTES = 16;
/** 26 characters of five bits each, and 6 for the checksum. */
const CODE_CHARACTERS = 32;
/** A longer text is not a code in any form. */
const TYPED_CHARACTERS_MAX = 200;

/** A new code. Its digest is stored; 128 random bits need no slow hash. */
export function newCode(kind: CodeKind): { code: string; digest: string } {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_BYTES));
  const text = bech32m.encode(prefixes[kind], bech32m.toWords(bytes));
  const characters = text.slice(prefixes[kind].length + 1).toUpperCase();
  return { code: characters.replace(/(.{4})(?=.)/g, '$1-'), digest: digestOf(kind, bytes) };
}

/**
 * Reads a code as a person typed it: in upper or lower case, with or without hyphens and spaces. A character that looks
 * like one of the alphabet counts as that one.
 * @returns its digest
 * @throws `invalid_request` naming `code` if it was mistyped, or is of the other kind
 */
export function readCode(kind: CodeKind, typed: string): string {
  const characters = typed.length > TYPED_CHARACTERS_MAX ? '' : plain(typed);
  if (characters.length !== CODE_CHARACTERS) {
    throw invalidField(
      'code',
      `must have ${CODE_CHARACTERS} letters and digits; check that it is complete`,
    );
  }
  const bytes = bytesOf(kind, characters);
  if (bytes) return digestOf(kind, bytes);
  const other = kind === 'voucher' ? 'invitation' : 'voucher';
  if (bytesOf(other, characters))
    throw invalidField('code', `is one of the ${other}s, and does not count here`);
  throw invalidField('code', 'is mistyped; compare it with the printed one');
}

/** Codes do not contain b, i, o and 1. The Cyrillic letters here are those that look like Latin ones. */
const lookalikes = new Map(
  Object.entries({
    b: '8',
    i: 'l',
    1: 'l',
    o: '0',
    в: '8',
    о: '0',
    а: 'a',
    е: 'e',
    к: 'k',
    м: 'm',
    н: 'h',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    х: 'x',
    з: '3',
  }),
);

function plain(typed: string): string {
  const compact = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '');
  return Array.from(compact, (character) => lookalikes.get(character) ?? character).join('');
}

function bytesOf(kind: CodeKind, characters: string): Uint8Array | undefined {
  try {
    return bech32m.decodeToBytes(`${prefixes[kind]}1${characters}`).bytes;
  } catch {
    return undefined;
  }
}

function digestOf(kind: CodeKind, bytes: Uint8Array): string {
  return sha256Hex(`${kind} ${bytes.toHex()}`);
}
