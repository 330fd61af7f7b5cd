import { DomainError } from '../../lib/errors.ts';
import { resultInTurns, resultOf, type Steps } from '../../lib/steps.ts';
import { asFields, parsedJson, type Fields } from './fields.ts';
import { isLiteLlm, readLiteLlm } from './litellm.ts';
import { isModelsDev, readModelsDev } from './models-dev.ts';
import { ROWS_STEP, type ListFormat, type PriceList, type RowSteps } from './price-list.ts';

/** Models in a list; the public ones have about 5,000. */
const ROWS_MAX = 200_000;
/** Over HTTP. */
const SENT_ROWS_MAX = 20_000;

/**
 * Reads a public price list in either of the two formats.
 * @param text JSON
 * @param today `YYYY-MM-DD`
 * @throws `invalid_request` if it has another format
 */
export function readPriceList(text: string, today: string): PriceList {
  const list = asFields(parsedJson(text));
  if (!list) throw refused('it is not a JSON object');
  return resultOf(readInSteps(list, today, `more than ${ROWS_MAX} models`, ROWS_MAX));
}

/** The same for a list that an admin sent over HTTP: other requests are served meanwhile. */
export function readSentList(list: Fields, today: string): Promise<PriceList> {
  const tooMany = `more than ${SENT_ROWS_MAX} models: send only those of your providers, or use "zastava catalogue import"`;
  return resultInTurns(readInSteps(list, today, tooMany, SENT_ROWS_MAX));
}

function* readInSteps(
  list: Fields,
  today: string,
  tooMany: string,
  most: number,
): Steps<PriceList> {
  const [format, reading] = readingOf(list, today);
  for (;;) {
    const step = reading.next();
    if (step.done) {
      if (step.value.rows.length === 0) throw refused('it has no models');
      return { format, date: today, ...step.value };
    }
    if (step.value > most) throw refused(`it has ${tooMany}`);
    if (step.value % ROWS_STEP === 0) yield;
  }
}

function readingOf(list: Fields, today: string): [ListFormat, RowSteps] {
  if (isModelsDev(list)) return ['models.dev', readModelsDev(list)];
  if (isLiteLlm(list)) return ['LiteLLM', readLiteLlm(list, today)];
  throw refused(
    'it is neither api.json of models.dev nor model_prices_and_context_window.json of LiteLLM',
  );
}

function refused(why: string): DomainError {
  return new DomainError('invalid_request', `the price list can't be read: ${why}`);
}
