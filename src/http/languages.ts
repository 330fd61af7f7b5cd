import { parseAccept } from 'hono/utils/accept';
import { z } from 'zod';
import { DomainError, listOfDetails } from '../lib/errors.ts';
import { languages, type Language } from '../trust/index.ts';
import type { Translate } from '../lib/sentences.ts';
import type { Call } from './operation.ts';
import { refusalsInRussian } from './words/index.ts';

/** The language of a client that prefers none. */
const USUAL: Language = 'en';

export const acceptLanguageHeader = {
  'Accept-Language': z
    .string()
    .optional()
    .describe(`The language of the sentences: ${languages.join(' or ')}. Default: ${USUAL}.`),
};

/** The language of the sentences in an answer; also adds the headers that name it. */
export function languageOf({ request, headers }: Pick<Call, 'request' | 'headers'>): Language {
  const language = preferredLanguage(request.headers.get('accept-language'));
  headers['content-language'] = language;
  headers['vary'] = 'Accept-Language';
  return language;
}

/** The supported language that `Accept-Language` prefers: the look-up of RFC 4647, 3.4, where `ru-RU` means `ru`. */
export function preferredLanguage(header: string | null): Language {
  const wished = parseAccept(header ?? '').filter(({ q }) => q > 0);
  for (const { type } of wished) {
    const primary = type.split('-', 1)[0]?.toLowerCase();
    const found = languages.find((language) => language === primary);
    if (found) return found;
  }
  return USUAL;
}

/** Translates the sentences of an answer into the language that the caller prefers; English ones stay as they are. */
export function translatorOf(
  call: Pick<Call, 'request' | 'headers'>,
  inRussian: Translate,
): Translate {
  return languageOf(call) === 'ru' ? inRussian : (sentence) => sentence;
}

/** Translates refusals and warnings into the language that the caller prefers. */
export function refusalsFor({ headers }: Pick<Request, 'headers'>): Translate {
  return (sentence) =>
    preferredLanguage(headers.get('accept-language')) === 'ru'
      ? refusalsInRussian(sentence)
      : sentence;
}

/** An error, its message and details in the language that the caller prefers. */
export function errorInLanguage<E>(
  error: E,
  { headers }: Pick<Request, 'headers'>,
  inRussian = refusalsInRussian,
): E | DomainError {
  const isRussian = preferredLanguage(headers.get('accept-language')) === 'ru';
  if (!isRussian || !(error instanceof DomainError)) return error;
  const { retryAfterSeconds, cause, ...rest } = error;
  const details = error.details.map(({ path, message }) => ({ path, message: inRussian(message) }));
  const list = listOfDetails(error.details);
  const translated = listOfDetails(details);
  // A message that lists the details is made from their translations.
  const message =
    error.message === list && translated !== list ? translated : inRussian(error.message);
  return new DomainError(error.code, message, {
    ...rest,
    cause,
    details,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
