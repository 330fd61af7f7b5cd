import type { Offer, TextRequest } from '../../../providers/index.ts';
import type { FittedContext } from '../../context/context.ts';
import { estimateMessages } from '../../context/tokens.ts';
import { fitEmbedding } from './embedding.ts';
import type { ModelTurn, SendBase, SendKind, TextOptions } from './kind.ts';
import { textRequest, textWork } from './room.ts';

/** Texts that the model continues, each separately. With a suffix, the model fills the gap between text and suffix. */
export interface CompletionSend extends SendBase {
  kind: 'completion';
  prompts: readonly string[];
  suffix: string | undefined;
  options: TextOptions;
  maxOutputTokens: number;
  temperature: number | undefined;
  seed: number | undefined;
}

/** Stands in the history for the gap that the model fills. */
const GAP = '[…]';

export const completionKind: SendKind<CompletionSend> = {
  stored: ({ prompts, suffix, temperature, seed }) => ({
    systemPrompt: '',
    request: prompts.join('\n') + (suffix === undefined ? '' : GAP + suffix),
    parameters: { chat_depth: 0, temperature, seed },
  }),
  outputTokensMax: ({ maxOutputTokens }) => maxOutputTokens,
  isUncapped: false,
  isReducible: () => false,
  needs: ({ options: { n } }): Offer[] => (n === undefined ? ['model'] : ['model', 'n']),
  answers: ({ prompts, options }) => prompts.length * (options.n ?? 1),
  isWhole: ({ prompts, options }) =>
    prompts.length > 1 || options.n !== undefined || options.logprobs !== undefined,
  context: (_parts, userId, { maxInputTokens }, input) => fitPrompts(input, maxInputTokens, userId),
  limitedTexts: (input) => textsOf(input).map((text) => [text]),
  estimatePrompt: (input, _context, userId) => estimateMessages(textsOf(input), userId),
  work: (turn) => textWork(requestOf(turn)),
  textRequest: requestOf,
};

/** The text that the model reads for each prompt. */
function textsOf({ prompts, suffix = '' }: CompletionSend): string[] {
  return prompts.map((prompt) => prompt + suffix);
}

/** @throws `input_too_long` naming the prompt that does not fit */
async function fitPrompts(
  input: CompletionSend,
  maxInputTokens: number,
  userId: number,
): Promise<FittedContext> {
  const { stop = [], user = '' } = input.options;
  const { items, inputTokensMax } = await fitEmbedding(textsOf(input), maxInputTokens, userId);
  const beside = [...stop, user].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { items, inputTokensMax: inputTokensMax + beside * input.prompts.length };
}

function requestOf(turn: ModelTurn<CompletionSend>): TextRequest {
  const { prompts, suffix, options } = turn.input;
  return { ...textRequest(turn, [], options), completion: { prompts, suffix } };
}
