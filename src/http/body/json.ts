import { DomainError } from '../../lib/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses the bytes of a JSON object, after `scanJson`.
 * @throws `invalid_json`; `invalid_request` for other JSON values, and for texts that can't be stored
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('invalid_request', 'the request body must be a JSON object');
  }
  // U+0000 and lone surrogates can only be written as escapes, since the bytes are valid UTF-8.
  if (text.includes('\\u')) checkTexts(value);
  return value as Record<string, unknown>;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DomainError('invalid_json', 'the request body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid_json', 'the request body is not valid JSON');
  }
}

/** Refuses texts that the database can't store. */
function checkTexts(branch: object): void {
  for (const name in branch) {
    checkText(name);
    const member = (branch as Record<string, unknown>)[name];
    if (typeof member === 'string') checkText(member);
    else if (typeof member === 'object' && member !== null) checkTexts(member);
  }
}

function checkText(text: string): void {
  if (!text.isWellFormed()) {
    throw new DomainError('invalid_request', 'text must not contain lone surrogates');
  }
  if (text.includes('\0')) {
    throw new DomainError('invalid_request', 'text must not contain U+0000');
  }
}
