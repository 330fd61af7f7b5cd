/** The models of the campaigns, and the cost of their answers, computed independently of the product. */
import { exactCost } from '../../support/rational.ts';
import type { ReportedUsage } from './journal-provider.ts';
import type { Modality } from './ways.ts';

export const TEXT = 101;
export const IMAGE = 102;
/** The model for each modality. */
export const modelOf: Readonly<Record<Modality, number>> = {
  text: TEXT,
  image: IMAGE,
  completion: 103,
  embedding: 104,
  speech: 105,
  transcription: 106,
};
/** The largest answer of a model, in tokens. */
export const CAP_MAX = 1_000;
/** The key of every provider. Anywhere outside a call to the provider it is a leak. */
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
/** The price of a spoken character or a transcribed second: the only price of such a model besides the fixed ones. */
const UNIT_PRICE = 7_333_333_333;

export interface SoldModel {
  id: number;
  /** The name at the provider. */
  model: string;
  type: ModelType;
  /** By default the modality of the type. */
  modality?: Modality;
  provider?: string;
  /** 10,000 by default. */
  maxInputTokens?: number;
}

export interface SellingProvider {
  /** `openai` by default. */
  kind?: string;
  baseUrl: string;
  /** Long by default, since the machine may be busy. */
  timeoutSeconds?: number;
}

const rubles = (micro: number): number => micro / 1_000_000;
export const standardModels: readonly SoldModel[] = [
  { id: TEXT, model: 'journal-text', type: 'TEXT' },
  { id: IMAGE, model: 'journal-image', type: 'IMAGE' },
];

/** A model of each modality. */
export const modelsOfAllWays: readonly SoldModel[] = [
  ...standardModels,
  ...(['completion', 'embedding', 'speech', 'transcription'] as const).map(
    (modality): SoldModel => ({
      id: modelOf[modality],
      model: `journal-${modality}`,
      type: 'TEXT',
      modality,
    }),
  ),
];

/** A catalogue file of these models at `journal`, unless they name another provider. JSON is YAML. */
export function catalogueFor(
  providers: Readonly<Record<string, SellingProvider>>,
  models: readonly SoldModel[] = standardModels,
): string {
  return JSON.stringify({
    sandbox: 'off',
    providers: Object.fromEntries(
      Object.entries(providers).map(
        ([code, { kind = 'openai', baseUrl, timeoutSeconds = 120 }]) => [
          code,
          { kind, base_url: baseUrl, api_key: CANARY_KEY, timeout_seconds: timeoutSeconds },
        ],
      ),
    ),
    models: models.map((model) => ({
      id: model.id,
      provider: model.provider ?? 'journal',
      model: model.model,
      type: model.type,
      ...(model.modality && { modality: model.modality }),
      max_input_tokens: model.maxInputTokens ?? 10_000,
      max_output_tokens: CAP_MAX,
      is_chat_mode_allowed: model.type === 'TEXT' && model.modality === undefined ? 1 : 0,
      ...pricesOf(model),
    })),
  });
}

function pricesOf({ type, modality }: SoldModel): Record<string, number> {
  const { inputFix, outputFix, inputTokens, outputTokens } = prices[type];
  const fixed = {
    cost_input_fix_rub: rubles(inputFix),
    cost_output_fix_rub: rubles(outputFix),
  };
  const unit = rubles(UNIT_PRICE);
  if (modality === 'speech') return { ...fixed, cost_characters_rub: unit };
  if (modality === 'transcription') return { ...fixed, cost_audio_seconds_rub: unit };
  return {
    ...fixed,
    cost_input_tokens_rub: rubles(inputTokens),
    cost_output_tokens_rub: rubles(outputTokens),
  };
}

/** The required cost of an answer with this usage, in micro-rubles, if its hold is large enough. */
export function dueFor(type: ModelType, { prompt, completion, units }: ReportedUsage) {
  const { inputFix, inputTokens, outputFix, outputTokens } = prices[type];
  if (units !== undefined) {
    return { request: Number(exactCost(inputFix, units, UNIT_PRICE)), response: outputFix };
  }
  return {
    request: Number(exactCost(inputFix, prompt, inputTokens)),
    response: Number(exactCost(outputFix, completion, outputTokens)),
  };
}
