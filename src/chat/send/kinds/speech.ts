import { withTraceparent } from '../../../lib/spans.ts';
import { UnsupportedError, type Offer, type SpeechFormat } from '../../../providers/index.ts';
import { fitEmbedding } from './embedding.ts';
import type { SendBase, SendKind } from './kind.ts';
import { estimateMessages } from '../../context/tokens.ts';

export { speechTypes } from '../../../providers/index.ts';

/** A text that the model speaks. The audio is stored like an image. */
export interface SpeechSend extends SendBase {
  kind: 'speech';
  text: string;
  voice: string;
  format: SpeechFormat;
  speed: number | undefined;
  instructions: string | undefined;
}

const needs: readonly Offer[] = ['model'];

export const speechKind: SendKind<SpeechSend> = {
  stored: ({ text, voice, format }) => ({
    systemPrompt: '',
    request: text,
    parameters: { chat_depth: 0, voice, format },
  }),
  outputTokensMax: () => 0,
  isUncapped: true,
  isReducible: () => false,
  isWhole: () => true,
  needs: () => needs,
  measured: ({ text }) => ({ characters: charactersIn(text) }),
  context: (_parts, userId, { maxInputTokens }, { text, voice, instructions = '' }) =>
    fitEmbedding([text + instructions + voice], maxInputTokens, userId),
  limitedTexts: ({ text, instructions = '' }) => [[text, instructions]],
  estimatePrompt: ({ text, instructions = '' }, _context, userId) =>
    estimateMessages([text, instructions], userId),
  work({ input, model: { model } }) {
    const { text, voice, format, speed, instructions, traceparent } = input;
    const request = { model, text, voice, format, speed, instructions, traceparent };
    return {
      model,
      run: async (provider, signal, context) => {
        if (!provider.speak) throw new UnsupportedError('model', 'The provider has no speech.');
        const answer = await provider.speak(withTraceparent(request, context), signal);
        // The gateway itself counts the characters; the provider reports no tokens.
        const counts = { characters: charactersIn(text), completionTokens: 0 };
        return { ...answer, usage: { ...answer.usage, ...counts } };
      },
    };
  },
};

/** Counts Unicode characters, some of which have two UTF-16 units. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
