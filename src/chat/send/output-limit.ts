import {
  joinedText,
  type TextAnswer,
  type TextChoice,
  type TextPart,
  type ReasoningPart,
} from '../../providers/index.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { ContentPart, ShownAnswer } from './stream-progress.ts';
import type { FinishedAnswer } from './stream-relay.ts';

/**
 * An output of at most this weight for each token of its cap, plus a little, is within its cap. A UTF-16 unit weighs 1;
 * natural text has 3 to 5 units a token.
 */
const WEIGHT_PER_TOKEN = 5;
const WEIGHT_MORE = 256;
/** The weight of a unit of the scripts from Hangul on (Chinese, Japanese, emoji): they have 1 to 2 units a token. */
const DENSE_WEIGHT = 2.5;
const DENSE_FROM = 0x1100;
/** After a count shows that an output is within its cap, the output may grow by this factor before the next count. */
const GROWTH = 1.25;
/** How far an estimate may be above the cap, since the model may have another vocabulary. */
const ESTIMATE_FACTOR = 1.1;
const ESTIMATE_MORE = 16;

const ignored = 'the provider ignored max_output_tokens: its answer was cut where it passed them';

/** The part of an output that is kept when it exceeds its cap. */
export interface CutOutput {
  kept: (ContentPart | ReasoningPart)[];
  warning: string;
  /** An estimate of all tokens that arrived, including those that are not kept. */
  tokens: number;
}

/** Notices an output that exceeds its cap. Tokens are only counted if the output is very long. */
export class OutputLimit {
  readonly #tokensMax: number;
  readonly #userId: number | undefined;
  #weightMax: number;
  /** All output so far, and its weight. */
  #output = '';
  #weight = 0;

  /**
   * @param cap output tokens
   * @param userId the user who asked
   */
  constructor(cap: number, userId?: number) {
    this.#userId = userId;
    this.#tokensMax = cap * ESTIMATE_FACTOR + ESTIMATE_MORE;
    this.#weightMax = weightWithin(cap);
  }

  /** Adds parts of a stream. @returns false if the output is certainly within its cap; true if `cut` has to count it */
  mayPassWith(parts: readonly TextPart[]): boolean {
    for (const part of parts) {
      const output = outputIn(part);
      this.#output += output;
      this.#weight += weightOf(output);
    }
    return this.#weight > this.#weightMax;
  }

  /**
   * Counts the output.
   * @param parts the parts that were added last
   * @returns undefined if it is within its cap
   */
  async cut(parts: readonly TextPart[]): Promise<CutOutput | undefined> {
    const tokens = await this.#countAbove();
    if (tokens === undefined) return undefined;
    const added = parts.reduce((sum, part) => sum + weightOf(outputIn(part)), 0);
    let left = this.#weightMax - (this.#weight - added);
    const kept: CutOutput['kept'] = [];
    for (const part of parts) {
      const weight = weightOf(outputIn(part));
      if (part.type === 'text' && left > 0) {
        kept.push({ type: 'text', text: beginningOf(part.text, left) });
      } else if (part.type === 'tool_call' && left >= weight) {
        kept.push(part);
      } else if (part.type === 'reasoning' && left > 0) kept.push(part);
      left -= weight;
    }
    return { kept, warning: ignored, tokens };
  }

  /** @returns the tokens of an output above its cap; undefined if it is within the cap */
  async #countAbove(): Promise<number | undefined> {
    const output = this.#output;
    const [userId, most] = [this.#userId, this.#tokensMax];
    if ((await estimateTokens([output], userId, most)) > most) {
      return estimateTokens([output], userId);
    }
    this.#weightMax = this.#weight * GROWTH;
    return undefined;
  }
}

/**
 * Cuts the text of a plain answer at its cap.
 * @returns undefined for an answer that is certainly within its cap
 */
export function cutAnswer(
  answer: TextAnswer,
  cap: number,
  userId?: number,
): Promise<TextAnswer> | undefined {
  const { text, warnings, choices } = answer;
  if (choices) return cutChoices(answer, choices, cap, userId);
  if (text.length * DENSE_WEIGHT <= weightWithin(cap)) return undefined;
  const limit = new OutputLimit(cap, userId);
  const parts = [{ type: 'text' as const, text }];
  if (!limit.mayPassWith(parts)) return undefined;
  return limit.cut(parts).then((cut) => {
    if (!cut) return answer;
    const [kept] = cut.kept;
    return {
      ...answer,
      text: kept?.type === 'text' ? kept.text : '',
      finishReason: 'length',
      warnings: [...warnings, cut.warning],
    };
  });
}

/** The cap applies to each answer. */
function cutChoices(
  answer: TextAnswer,
  choices: readonly TextChoice[],
  cap: number,
  userId: number | undefined,
): Promise<TextAnswer> | undefined {
  const cuts = choices.map((choice) =>
    cutAnswer({ ...answer, ...choice, choices: undefined }, cap, userId),
  );
  if (cuts.every((cut) => cut === undefined)) return undefined;
  return Promise.all(cuts.map((cut) => cut ?? Promise.resolve(undefined))).then((all) => {
    const kept = choices.map((choice, at) => {
      const { text = choice.text, finishReason = choice.finishReason } = all[at] ?? {};
      return { ...choice, text, finishReason };
    });
    const warnings = [...new Set(all.flatMap((cut) => cut?.warnings ?? answer.warnings))];
    return { ...answer, choices: kept, text: joinedText(kept), warnings };
  });
}

/** The weight up to which an output is certainly within its cap, without a count. */
function weightWithin(cap: number): number {
  return cap * WEIGHT_PER_TOKEN + WEIGHT_MORE;
}

function weightAt(text: string, index: number): number {
  return text.charCodeAt(index) < DENSE_FROM ? 1 : DENSE_WEIGHT;
}

function weightOf(text: string): number {
  let weight = 0;
  for (let index = 0; index < text.length; index += 1) weight += weightAt(text, index);
  return weight;
}

/** The end of a stream that was cut off. */
export function finishOf(
  { tokens, warning }: CutOutput,
  { reported, toolCalls }: ShownAnswer,
): FinishedAnswer {
  const completionTokens = Math.max(reported.completionTokens ?? 0, tokens);
  return {
    toolCalls,
    providerMessageId: null,
    usage: { ...reported, completionTokens, totalTokens: null },
    finishReason: 'length',
    seed: null,
    warnings: [warning],
  };
}

/** The beginning of a text, of at most this weight, without half a character at its end. */
function beginningOf(text: string, weightMax: number): string {
  let [end, weight] = [0, 0];
  while (end < text.length && (weight += weightAt(text, end)) <= weightMax) end += 1;
  const isHalf = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return text.slice(0, isHalf ? end - 1 : end);
}

/** The text that a part adds to the output. */
function outputIn(part: TextPart): string {
  if (part.type === 'text') return part.text;
  // The model was not charged for a summary, but for its full reasoning.
  if (part.type === 'reasoning') return part.isPartial ? '' : part.text;
  return part.type === 'tool_call' ? part.arguments : '';
}
