import '../ui/shared.ts';
import { language } from '../i18n/index.ts';
import { Admin } from './admin.tsx';
import { loadWords } from './words/index.ts';

/** The administration and its words, which are a separate chunk. */
export async function loadAdmin(): Promise<typeof Admin> {
  await loadWords(language.value);
  return Admin;
}
