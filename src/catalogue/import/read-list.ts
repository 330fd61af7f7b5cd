import { DomainError } from '../../lib/errors.ts';
import { asFields, type Fields } from './fields.ts';
import { isLiteLlm, readLiteLlm } from './litellm.ts';
import { isModelsDev, readModelsDev } from './models-dev.ts';
import type { PriceList } from './price-list.ts';

/** Models in a list; the public ones have about 5,000. */
const ROWS_MAX = 200_000;

/**
 * Reads a public price list in either of the two formats.
 * @param source its text, or the parsed text
 * @param today `YYYY-MM-DD`
 * @throws `invalid_request` if it has another format
 */
export function readPriceList(source: string | Fields, today: string): PriceList {
  const list = typeof source === 'string' ? asFields(parseJson(source)) : source;
  if (!list) throw refused('it is not a JSON object');
  const read = readKnown(list, today);
  if (read.rows.length === 0) throw refused('it has no models');
  if (read.rows.length > ROWS_MAX) throw refused(`it has more than ${ROWS_MAX} models`);
  return read;
}

function readKnown(list: Readonly<Record<string, unknown>>, today: string): PriceList {
  if (isModelsDev(list)) return { format: 'models.dev', date: today, ...readModelsDev(list) };
  if (isLiteLlm(list)) return { format: 'LiteLLM', date: today, ...readLiteLlm(list, today) };
  throw refused(
    'it is neither api.json of models.dev nor model_prices_and_context_window.json of LiteLLM',
  );
}

function parseJson(text: string): unknown {
  try {
    // The text may begin with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function refused(why: string): DomainError {
  return new DomainError('invalid_request', `the price list can't be read: ${why}`);
}
