import { signal } from '@preact/signals';
import type { Messages } from './en.ts';

export type Language = 'en' | 'ru';

const LANGUAGE_KEY = 'zastava-language';

/** The language of the page; its messages are a separate chunk. */
export const language = signal<Language>(firstLanguage());
const messages = signal<Messages | undefined>(undefined);

function firstLanguage(): Language {
  const chosen = localStorage.getItem(LANGUAGE_KEY);
  if (chosen === 'en' || chosen === 'ru') return chosen;
  return navigator.languages[0]?.startsWith('ru') ? 'ru' : 'en';
}

/** Loads the messages of a language, and shows them. */
export async function useLanguage(chosen: Language): Promise<void> {
  messages.value = chosen === 'ru' ? (await import('./ru.ts')).ru : (await import('./en.ts')).en;
  language.value = chosen;
  document.documentElement.lang = chosen;
}

/** The user's choice is stored in the browser. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, chosen);
  await useLanguage(chosen);
}

/** The messages of the language. Components that read them update when the language changes. */
export function t(): Messages {
  const loaded = messages.value;
  if (!loaded) throw new Error('the messages are not loaded yet');
  return loaded;
}
