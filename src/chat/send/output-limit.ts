import {
  joinedText,
  type TextAnswer,
  type TextChoice,
  type TextPart,
} from '../../providers/index.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { ContentPart, ShownAnswer } from './stream-progress.ts';
import type { FinishedAnswer } from './stream-relay.ts';

/**
 * An output with fewer UTF-16 units is within its cap: so many a token of the cap, and some more. Natural text has 3 to
 * 5 of them a token.
 */
const UNITS_PER_TOKEN = 5;
const UNITS_MORE = 256;
/** After a count that shows an output within its cap, it may grow by this factor before the next count. */
const GROWTH = 1.25;
/** How far an estimate may be above the cap, since the model may have another vocabulary. */
const ESTIMATE_FACTOR = 1.1;
const ESTIMATE_MORE = 16;

const ignored = 'the provider ignored max_output_tokens: its answer was cut where it passed them';

/** The part of an output that is kept, where it passes the cap. */
export interface CutOutput {
  kept: ContentPart[];
  warning: string;
  /** An estimate of all tokens that came, also of those that are not kept. */
  tokens: number;
}

/** Notices an output that passes its cap. Tokens are only counted if it has very many characters. */
export class OutputLimit {
  readonly #tokensMax: number;
  #unitsMax: number;
  /** All output so far. */
  #output = '';

  /** @param cap output tokens */
  constructor(cap: number) {
    this.#tokensMax = cap * ESTIMATE_FACTOR + ESTIMATE_MORE;
    this.#unitsMax = unitsWithin(cap);
  }

  /** Adds parts of a stream. @returns false if the output is within its cap; true if `cut` has to count it */
  mayPassWith(parts: readonly TextPart[]): boolean {
    for (const part of parts) this.#output += outputIn(part);
    return this.#output.length > this.#unitsMax;
  }

  /**
   * Counts the output.
   * @param parts those that were added last
   * @returns undefined if it is within its cap
   */
  async cut(parts: readonly TextPart[]): Promise<CutOutput | undefined> {
    const tokens = await this.#countAbove();
    if (tokens === undefined) return undefined;
    const units = parts.reduce((sum, part) => sum + outputIn(part).length, 0);
    let left = this.#unitsMax - (this.#output.length - units);
    const kept: ContentPart[] = [];
    for (const part of parts) {
      if (part.type === 'text' && left > 0) {
        kept.push({ type: 'text', text: wholeCharacters(part.text, left) });
      } else if (part.type === 'tool_call' && left >= part.arguments.length) {
        kept.push(part);
      }
      left -= outputIn(part).length;
    }
    return { kept, warning: ignored, tokens };
  }

  /** @returns the tokens of an output above its cap; undefined if it is within the cap */
  async #countAbove(): Promise<number | undefined> {
    const output = this.#output;
    if ((await estimateTokens([output], this.#tokensMax)) > this.#tokensMax) {
      return estimateTokens([output]);
    }
    this.#unitsMax = Math.ceil(output.length * GROWTH);
    return undefined;
  }
}

/**
 * Cuts the text of a plain answer where it passes the cap.
 * @returns undefined for an answer that is certainly within the cap
 */
export function cutAnswer(answer: TextAnswer, cap: number): Promise<TextAnswer> | undefined {
  const { text, warnings, choices } = answer;
  if (choices) return cutChoices(answer, choices, cap);
  if (text.length <= unitsWithin(cap)) return undefined;
  const limit = new OutputLimit(cap);
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

/** The cap is that of each answer. */
function cutChoices(
  answer: TextAnswer,
  choices: readonly TextChoice[],
  cap: number,
): Promise<TextAnswer> | undefined {
  const cuts = choices.map((choice) =>
    cutAnswer({ ...answer, ...choice, choices: undefined }, cap),
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

/** The UTF-16 units up to which an output is within its cap, without a count. */
function unitsWithin(cap: number): number {
  return cap * UNITS_PER_TOKEN + UNITS_MORE;
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

/** The first UTF-16 units of a text, without half a character at the end. */
function wholeCharacters(text: string, units: number): string {
  const isHalf = units < text.length && /[\uD800-\uDBFF]/.test(text.charAt(units - 1));
  return text.slice(0, isHalf ? units - 1 : units);
}

/** What a part adds to the output, as text. */
function outputIn(part: TextPart): string {
  if (part.type === 'text' || part.type === 'thought') return part.text ?? '';
  return part.type === 'tool_call' ? part.arguments : '';
}
