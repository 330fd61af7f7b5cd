import type { Environment } from '../config/index.ts';
import type { Language } from '../trust/index.ts';

/** The language of messages by the rules of POSIX: the first of these that is set decides. English unless it is `ru…`. */
export function languageOfTerminal(env: Environment): Language {
  const names = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;
  const locale = names.map((name) => env[name] ?? '').find((value) => value !== '') ?? '';
  return /^ru(?![a-z])/i.test(locale) ? 'ru' : 'en';
}
