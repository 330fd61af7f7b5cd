/** The models that torture sells, and what an answer of them costs, computed apart from the product. */
import { exactCost } from '../../support/rational.ts';
import type { Told } from './journal-provider.ts';

export const TEXT = 101;
export const IMAGE = 102;
/** The largest answer of a model, in tokens. */
export const CAP_MAX = 1_000;
/** Of every provider. Whoever finds it anywhere outside a call to the provider has found a leak. */
export const CANARY_KEY = 'sk-canary-7f3a91c5e2d84b60';

/** Micro-rubles; tokens by the million. They leave fractions of a micro-ruble. */
interface Price {
  inputTokens: number;
  outputTokens: number;
  inputFix: number;
  outputFix: number;
}

const text: Price = {
  inputTokens: 133_333_333,
  outputTokens: 1_266_666_667,
  inputFix: 500_000,
  outputFix: 250_001,
};
const prices = { TEXT: text, IMAGE: { ...text, outputFix: 1_500_000 } };
type ModelType = keyof typeof prices;

export interface SoldModel {
  id: number;
  /** The name at the provider. */
  model: string;
  type: ModelType;
  provider?: string;
  /** 10,000 unless told. */
  maxInputTokens?: number;
}

export interface SellingProvider {
  baseUrl: string;
  /** Long unless told, since the machine may be busy with other things. */
  timeoutSeconds?: number;
}

const rubles = (micro: number): number => micro / 1_000_000;
export const standardModels: readonly SoldModel[] = [
  { id: TEXT, model: 'journal-text', type: 'TEXT' },
  { id: IMAGE, model: 'journal-image', type: 'IMAGE' },
];

/** A catalogue file of these models at `journal`, unless they name another provider. JSON is YAML. */
export function catalogueFor(
  providers: Readonly<Record<string, SellingProvider>>,
  models: readonly SoldModel[] = standardModels,
): string {
  return JSON.stringify({
    sandbox: 'off',
    providers: Object.fromEntries(
      Object.entries(providers).map(([code, { baseUrl, timeoutSeconds = 120 }]) => [
        code,
        { kind: 'openai', base_url: baseUrl, api_key: CANARY_KEY, timeout_seconds: timeoutSeconds },
      ]),
    ),
    models: models.map(({ id, model, type, provider = 'journal', maxInputTokens = 10_000 }) => ({
      id,
      provider,
      model,
      type,
      max_input_tokens: maxInputTokens,
      max_output_tokens: CAP_MAX,
      is_chat_mode_allowed: type === 'TEXT' ? 1 : 0,
      cost_input_tokens_rub: rubles(prices[type].inputTokens),
      cost_output_tokens_rub: rubles(prices[type].outputTokens),
      cost_input_fix_rub: rubles(prices[type].inputFix),
      cost_output_fix_rub: rubles(prices[type].outputFix),
    })),
  });
}

/** What an answer of this usage must cost, in micro-rubles, where its hold is large enough. */
export function dueFor(type: ModelType, { prompt, completion }: Told) {
  const { inputFix, inputTokens, outputFix, outputTokens } = prices[type];
  return {
    request: Number(exactCost(inputFix, prompt, inputTokens)),
    response: Number(exactCost(outputFix, completion, outputTokens)),
  };
}
