import { readDecimal, type Decimal } from '../../lib/decimal.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asFields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** A text of JSON, which may begin with a byte order mark; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A count of tokens of at least 1. */
export function asTokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Reads the prices of a row, and records the first invalid one. */
export class PriceFields {
  readonly #fields: Fields;
  /** e.g. `input_cost_per_token is not a price` */
  problem: string | undefined;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** The first of these fields that is present and not null. */
  read(...names: readonly string[]): Decimal | undefined {
    const name = names.find((candidate) => (this.#fields[candidate] ?? null) !== null);
    if (name === undefined) return undefined;
    const price = readDecimal(this.#fields[name]);
    if (!price) this.problem ??= `${name} is not a price`;
    return price;
  }
}
