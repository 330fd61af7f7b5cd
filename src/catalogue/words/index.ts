/** The Russian sentences about catalogues. The code writes them in English; commands and logs show those. */
import { ofFiles } from './file.ru.ts';
import { ofImports } from './import.ru.ts';
import { ofModels } from './models.ru.ts';
import { translator } from '../../lib/sentences.ts';

export const catalogueInRussian = translator(ofFiles, ofModels, ofImports);
