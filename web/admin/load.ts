import '../ui/shared.ts';
import { language } from '../i18n/index.ts';
import { Admin } from './admin.tsx';
import { loadWords } from './words/index.ts';

/** The administration with its words, which are a chunk of their own. */
export async function loadAdmin(): Promise<typeof Admin> {
  await loadWords(language.value);
  return Admin;
}
