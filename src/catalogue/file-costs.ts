/** Reads `rates:` and the `cost:` of models: what the operator pays. */
import { MICRO_PER_RUBLE, parseDecimal, type Micro } from '../lib/money.ts';
import { longAboveField, priceFields, unitName } from '../lib/price-fields.ts';
import { recordOf } from '../lib/units.ts';
import { readPrice } from './file-prices.ts';
import { ratesSchema, type RawCost } from './file-schema.ts';
import type { FileReading } from './file-reading.ts';
import { PRICE_MAX } from './limits.ts';
import { rubleCost, rubleRate, RUBLES, type OperatorCost, type Rate } from './operator-cost.ts';
import type { Path } from './problems.ts';

/** Rubles for 1 of a currency; a higher number is assumed to be a typing error. */
const RATE_MAX: Micro = 100_000 * MICRO_PER_RUBLE;

/** The rates of a file by currency, and which of them its models use. */
export class Rates {
  readonly #rates = new Map<string, Rate>();
  readonly #unused = new Set<string>();

  constructor(value: unknown, reading: FileReading) {
    const raw = value === undefined ? {} : (reading.parse(ratesSchema, value, ['rates']) ?? {});
    for (const [currency, { rub, date }] of Object.entries(raw)) {
      const path = ['rates', currency];
      if (currency === RUBLES) reading.refuse(path, 'rubles need no rate: remove it');
      const rate = readRate(rub);
      if (rate === undefined) reading.refuse([...path, 'rub'], RATE_FORM);
      else this.#rates.set(currency, { rate, date });
      this.#unused.add(currency);
    }
  }

  get(currency: string): Rate | undefined {
    this.#unused.delete(currency);
    return this.#rates.get(currency);
  }

  /** Warns of rates that no model needed: a currency may be mistyped. */
  warnOfUnused(reading: FileReading): void {
    for (const currency of this.#unused) {
      reading.warn(['rates', currency], `the cost of no model is in ${currency}`);
    }
  }
}

const RATE_FORM = `must be rubles for 1 of the currency, above 0 and at most ${RATE_MAX / MICRO_PER_RUBLE}, with at most 6 decimals`;

function readRate(value: number | string): Micro | undefined {
  const rate = parseDecimal(value, MICRO_PER_RUBLE);
  return rate !== undefined && rate > 0 && rate <= RATE_MAX ? rate : undefined;
}

/** @param path of the cost @returns undefined if it is wrong; its problems are recorded */
export function readCost(
  raw: RawCost,
  rates: Rates,
  path: Path,
  reading: FileReading,
): OperatorCost | undefined {
  const refuse = (field: string, message: string): void =>
    reading.refuse([...path, field], message);
  const { currency = RUBLES } = raw;
  const amounts = readPrice(
    {
      ...recordOf(priceFields, 'field', ({ field }) => raw[unitName(field)]),
      [longAboveField]: raw[longAboveField],
      cost_tokens_per: raw.tokens_per,
    },
    refuse,
    (field) => (field === longAboveField ? field : unitName(field)),
  );
  if (!amounts) {
    reading.refuse(
      path,
      'has no amount: write input_tokens, output_tokens, input_fix or output_fix',
    );
  }
  const rate = readOwnRate(raw, currency, rates, refuse);
  if (!rate || !amounts) return undefined;
  const cost: OperatorCost = { currency, ...rate, amounts };
  if (Object.values(rubleCost(cost)).some((amount) => amount > PRICE_MAX)) {
    const most = PRICE_MAX / MICRO_PER_RUBLE;
    reading.refuse(path, `comes to more than ${most} ₽ per 1,000,000 tokens or per request`);
  }
  return cost;
}

/** The rate given with the currency, or else the file's. */
function readOwnRate(
  raw: RawCost,
  currency: string,
  rates: Rates,
  refuse: (field: string, message: string) => void,
): Pick<OperatorCost, 'rate' | 'rateDate'> | undefined {
  const { rate: own, rate_date: date } = raw;
  if (currency === RUBLES) {
    if (own === undefined && date === undefined) return rubleRate;
    refuse('rate', 'rubles need no rate: remove rate and rate_date');
    return undefined;
  }
  if (own === undefined && date === undefined) {
    const shared = rates.get(currency);
    if (shared) return { rate: shared.rate, rateDate: shared.date };
    refuse(
      'currency',
      `needs a rate: write rates: at the top of the file, with ${currency}: { rub: …, date: … }, or rate and rate_date here`,
    );
    return undefined;
  }
  if (own === undefined) refuse('rate_date', 'needs rate beside it');
  else if (date === undefined) refuse('rate', 'needs rate_date beside it: the day of the rate');
  else {
    const rate = readRate(own);
    if (rate !== undefined) return { rate, rateDate: date };
    refuse('rate', RATE_FORM);
  }
  return undefined;
}
