import { MICRO_PER_RUBLE, type Micro } from '../lib/money.ts';

/** Bytes of UTF-8 in a catalogue file. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;
export const PROVIDERS_MAX = 1_000;
export const MODELS_MAX = 10_000;
/** How many models are read, compared or prepared at a time, in a few milliseconds; then other work is done. */
export const MODELS_STEP = 200;
/** Over HTTP: writing this many models takes 25 ms, in which no other request is answered. */
export const SENT_MODELS_MAX = 2_000;
/** Over HTTP: limits the memory that marks of YAML take. 2,000 models with every field have about 100,000 marks. */
export const SENT_MARKS_MAX = 150_000;
export const SENT_OPENERS_MAX = 20_000;
export const FALLBACKS_MAX = 16;

/** Tokens in or out of one request. */
export const TOKENS_MAX = 10_000_000;
/**
 * The highest price, per 1,000,000 tokens or per request. With `TOKENS_MAX` the most expensive request costs about 2.2
 * billion ₽, so sums stay in the range in which amounts are exact.
 */
export const PRICE_MAX: Micro = 100_000_000 * MICRO_PER_RUBLE;
/** Windows of hours with separate prices, and the highest percentage of the usual price. */
export const HOURS_MAX = 16;
export const PERCENT_MAX = 1_000;
export const TEMPERATURE_MAX = 100;
/** The highest temperature of a model if the file gives none. */
export const TEMPERATURE_USUAL_MAX = 2;

export const TIMEOUT_SECONDS_DEFAULT = 120;
export const TIMEOUT_SECONDS_MAX = 3_600;

/** Keys of one provider, and the largest weight of a key. */
export const KEYS_MAX = 16;
export const KEY_WEIGHT_MAX = 1_000;
/** The largest limits of calls to a provider: concurrent calls, and calls started per minute. */
export const CONCURRENT_MAX = 100_000;
export const REQUESTS_PER_MINUTE_MAX = 100_000;

/** Characters. */
export const NAME_MAX = 200;
export const DESCRIPTION_FULL_MAX = 10_000;
export const ADDRESS_MAX = 2_000;
export const API_KEY_MAX = 10_000;
export const OPTION_MAX = 2_000;

/** Ids 1 to 99 are reserved for the sandbox (1-9) and presets (10-99). */
export const FILE_ID_MIN = 100;
export const FILE_ID_MAX = 999_999_999;
/** The smallest id that is assigned to a model without an id. */
export const FRESH_ID_MIN = 1_000;
