import { Option } from 'commander';
import type { Environment } from '../config/index.ts';
import { languages, type Language } from '../trust/index.ts';

/** `--lang`. @param what is written in that language */
export function languageOption(what: string): Option {
  const help = `of ${what}; absent: that of the terminal`;
  return new Option('--lang <language>', help).choices(languages);
}

/**
 * The language of messages by the rules of POSIX: the first of these variables that is set decides. English unless it
 * is `ru…`.
 */
export function languageOfTerminal(env: Environment): Language {
  const names = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;
  const locale = names.map((name) => env[name] ?? '').find((value) => value !== '') ?? '';
  return /^ru(?![a-z])/i.test(locale) ? 'ru' : 'en';
}
