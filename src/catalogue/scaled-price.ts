import { roundedHalfUp } from '../lib/decimal.ts';
import { priceFields } from '../lib/price-fields.ts';
import type { Price } from '../lib/units.ts';

/**
 * A price with each amount × millionths / 1,000,000, rounded once, half up, to a whole micro-ruble. Charges are rounded
 * in `src/lib/money.ts`.
 */
export function scaledPrice(price: Price, millionths: number): Price {
  const scaled = { ...price };
  for (const { price: name } of priceFields) {
    const amount = price[name];
    if (amount === undefined) continue;
    const digits = BigInt(amount) * BigInt(millionths);
    scaled[name] = Number(roundedHalfUp({ digits, exponent: -6 }));
  }
  return scaled;
}
