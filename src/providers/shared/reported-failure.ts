/** Makes what a provider reports about a failure safe for the log. */
import type { ReportedFailure } from '../spec.ts';

/** The longest message that is kept, in UTF-16 units. */
const MESSAGE_MAX = 300;
/** How much is read beyond the kept part, so that a key that begins in the kept part is masked completely. */
const KEY_CHARS_MAX = 1_024;

/** A code or type is one word; anything longer may quote the request. */
const label = /^[\w.:-]{1,64}$/;

/** A key that the provider shortened in the middle (`sk-ab…yz`, `sk-ab***yz`), or another key. */
const keyLike = /\b(?:sk|pk|key|api|Bearer)[-_ ][\w.*…-]{6,}/gi;

/** Replaces each masked character until the text is cut, so that positions do not change. */
const MASKED = '\0';

/** The fields of a provider's error body, unchecked. */
export interface RawFailure {
  code?: unknown;
  type?: unknown;
  message?: unknown;
}

/** The key of a call, and other texts that must not be logged. */
export type Secrets = string | readonly string[] | undefined;

/**
 * @param secrets of the call, which the provider may have quoted
 * @returns undefined if there is nothing that can be logged
 */
export function reportedFailure(
  { code, type, message }: RawFailure,
  secrets: Secrets,
): ReportedFailure | undefined {
  const forms = [secrets ?? []].flat().flatMap(formsOf);
  const reported = {
    code: labelOf(code, forms),
    type: labelOf(type, forms),
    message: typeof message === 'string' ? masked(message, forms) : undefined,
  };
  const isEmpty = Object.values(reported).every((value) => value === undefined);
  return isEmpty ? undefined : reported;
}

/** A shorter text, such as the value `true` of a header, is no secret, and masking it would hide too much. */
const SECRET_MIN = 6;

/** The secret, plain, percent-encoded and in base64. */
function formsOf(secret: string): string[] {
  if (secret.length < SECRET_MIN) return [];
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [...new Set([secret, encodeURIComponent(secret), base64])];
}

function labelOf(value: unknown, forms: readonly string[]): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  return label.test(text) && !forms.some((form) => text.includes(form)) ? text : undefined;
}

/** Reads only the beginning of the text, however long it is. */
function masked(text: string, forms: readonly string[]): string | undefined {
  const hide = (key: string) => MASKED.repeat(key.length);
  let head = text.slice(0, MESSAGE_MAX + KEY_CHARS_MAX).replaceAll(MASKED, ' ');
  for (const form of forms) head = head.replaceAll(form, hide);
  head = head.replaceAll(keyLike, hide).slice(0, MESSAGE_MAX);
  return head.replaceAll(/\0+/g, '[key]').slice(0, MESSAGE_MAX).toWellFormed() || undefined;
}
