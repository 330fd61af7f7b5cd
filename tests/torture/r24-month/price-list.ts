/** The operator's price list of the month, and the providers' prices, computed with integers of any size. */
import { roundCharge, roundHalfUp } from '../../support/rational.ts';

/** The usage of an answer; cached tokens are part of the prompt, reasoning of the completion. */
export interface Used {
  prompt: number;
  cached: number;
  completion: number;
  reasoning: number;
}

/** Micro-rubles; tokens by the million. */
interface Price {
  inputFix: bigint;
  outputFix: bigint;
  input: bigint;
  cached: bigint;
  output: bigint;
  reasoning: bigint;
}

export interface Sold {
  id: number;
  model: string;
  fallbacks: number[];
  price: Price;
  /** Millionths of the currency, tokens by the million; null: the operator has not stated the cost. */
  cost: { currency: 'RUB' | 'USD'; price: Price } | null;
}

/** The prices in effect from a given day on. */
export interface PriceList {
  /** Micro-rubles for a dollar. */
  dollar: bigint;
  models: readonly Sold[];
}

export const PLAIN = 101;
export const FALLING = 102;
export const UNCOSTED = 103;
/** The largest answer, in tokens. */
export const CAP_MAX = 1_000;

const price = (...[input, cached, output, reasoning, inputFix = 0n, outputFix = 0n]: bigint[]) =>
  ({ input, cached, output, reasoning, inputFix, outputFix }) as Price;

/** The amounts leave fractions of a micro-ruble with nearly any number of tokens. */
function listOf(dollar: bigint, factor: bigint): PriceList {
  const times = (amount: bigint) => (amount * factor) / 10n;
  const plain = price(
    times(13_333_333n),
    times(1_333_337n),
    times(126_666_667n),
    times(99_999_999n),
    5_001n,
    2_503n,
  );
  const falling = price(times(7_777_777n), times(777_777n), times(234_567_891n), 98_765_432n);
  return {
    dollar,
    models: [
      {
        id: PLAIN,
        model: 'plain',
        fallbacks: [],
        price: plain,
        cost: { currency: 'USD', price: price(123_457n, 12_347n, 987_653n, 876_541n) },
      },
      {
        id: FALLING,
        model: 'falling',
        fallbacks: [PLAIN],
        price: falling,
        cost: { currency: 'RUB', price: price(5_555_555n, 555_555n, 99_999_999n, 1n) },
      },
      { id: UNCOSTED, model: 'uncosted', fallbacks: [], price: plain, cost: null },
    ],
  };
}

const first = listOf(92_350_000n, 10n);
/** Other prices, and another rate of the dollar. */
const second = listOf(101_234_567n, 13n);
/** One price is set, and all others stay. */
export const setPrice = price(20_000_003n, 2_000_001n, 150_000_007n, 100_000_001n, 7n, 11n);
const third: PriceList = {
  ...second,
  models: second.models.map((one) => (one.id === PLAIN ? { ...one, price: setPrice } : one)),
};
export const priceLists: readonly PriceList[] = [first, second, third];

const rubles = (micro: bigint) => Number(micro) / 1e6;

/** The prices of a model, as the catalogue file and the API name them. */
export function priceFields(of: Price): Record<string, number> {
  return {
    cost_input_tokens_rub: rubles(of.input),
    cost_cached_input_tokens_rub: rubles(of.cached),
    cost_output_tokens_rub: rubles(of.output),
    cost_reasoning_tokens_rub: rubles(of.reasoning),
    cost_input_fix_rub: rubles(of.inputFix),
    cost_output_fix_rub: rubles(of.outputFix),
  };
}

/**
 * JSON is YAML.
 * @param day of the rate
 */
export function catalogueFile({ dollar, models }: PriceList, baseUrl: string, day: string): string {
  return JSON.stringify({
    sandbox: 'off',
    rates: { USD: { rub: rubles(dollar), date: day } },
    providers: { billing: { kind: 'openai', base_url: baseUrl, timeout_seconds: 120 } },
    models: models.map(({ id, model, fallbacks, price: sold, cost }) => ({
      id,
      provider: 'billing',
      model,
      type: 'TEXT',
      max_input_tokens: 10_000,
      max_output_tokens: CAP_MAX,
      is_chat_mode_allowed: 1,
      fallbacks,
      ...priceFields(sold),
      ...(cost && {
        cost: {
          currency: cost.currency,
          input_tokens: rubles(cost.price.input),
          cached_input_tokens: rubles(cost.price.cached),
          output_tokens: rubles(cost.price.output),
          reasoning_tokens: rubles(cost.price.reasoning),
        },
      }),
    })),
  });
}

export interface Due {
  request: bigint;
  response: bigint;
}

export const totalOf = ({ request, response }: Due): bigint => request + response;

/**
 * Request and response, each rounded once.
 * @param isAnswer false: without the fixed price of an answer
 */
export function dueFor(of: Price, used: Used, isAnswer = true): Due {
  const [prompt, cached] = [BigInt(used.prompt), BigInt(used.cached)];
  const [completion, reasoning] = [BigInt(used.completion), BigInt(used.reasoning)];
  const input = (prompt - cached) * of.input + cached * of.cached;
  const output = (completion - reasoning) * of.output + reasoning * of.reasoning;
  return {
    request: of.inputFix + roundCharge(input),
    response: (isAnswer ? of.outputFix : 0n) + roundCharge(output),
  };
}

/** The highest cost of a call: each token at the highest price that may apply. */
export function holdFor(of: Price, inputTokens: number, cap: number): bigint {
  const highest = (one: bigint, other: bigint) => (one > other ? one : other);
  return (
    of.inputFix +
    of.outputFix +
    roundCharge(BigInt(inputTokens) * highest(of.input, of.cached)) +
    roundCharge(BigInt(cap) * highest(of.output, of.reasoning))
  );
}

/** The operator's cost, with each amount converted and rounded first; undefined: not known. */
export function paidFor({ cost }: Sold, dollar: bigint, used: Used): bigint | undefined {
  if (!cost) return undefined;
  const rate = cost.currency === 'USD' ? dollar : 1_000_000n;
  const { input, cached, output, reasoning } = cost.price;
  const inRubles = [input, cached, output, reasoning].map((amount) =>
    roundHalfUp(amount * rate, 1_000_000n),
  );
  return totalOf(dueFor(price(...inRubles), used));
}
