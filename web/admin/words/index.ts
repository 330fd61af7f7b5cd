import { signal } from '@preact/signals';
import type { Language } from '../../i18n/index.ts';
import type { Words } from './en.ts';

const loaded = signal<Words | undefined>(undefined);

/** Loads the words of a language, and shows them. */
export async function loadWords(language: Language): Promise<void> {
  loaded.value = language === 'ru' ? (await import('./ru.ts')).ru : (await import('./en.ts')).en;
}

/** The words of the administration. Components that read them follow a change of language. */
export function w(): Words {
  const words = loaded.value;
  if (!words) throw new Error('the words are not loaded yet');
  return words;
}
