/** Refusals and warnings in Russian. The code writes them in English; commands and the log show those. */
import { translator } from '../../lib/sentences.ts';
import { ofAccounts } from './accounts.ru.ts';
import { ofBooks } from './books.ru.ts';
import { ofFields } from './fields.ru.ts';
import { ofJobs } from './jobs.ru.ts';
import { ofSends } from './sends.ru.ts';

export const refusalsInRussian = translator(ofSends, ofAccounts, ofBooks, ofFields, ofJobs);
