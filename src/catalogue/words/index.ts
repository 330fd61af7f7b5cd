/** The sentences of catalogues in Russian. The code says them in English, and so do commands and logs. */
import { ofFiles } from './file.ru.ts';
import { ofImports } from './import.ru.ts';
import { ofModels } from './models.ru.ts';
import { translator } from './sentences.ts';

export const catalogueInRussian = translator(ofFiles, ofModels, ofImports);
