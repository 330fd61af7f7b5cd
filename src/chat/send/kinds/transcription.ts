import {
  UnsupportedError,
  type Offer,
  type SentFile,
  type TranscriptAnswer,
} from '../../../providers/index.ts';
import { estimateMessages } from '../../context/tokens.ts';
import { fitEmbedding } from './embedding.ts';
import type { SendBase, SendKind } from './kind.ts';

/** Audio to transcribe. It is not kept. */
export interface TranscriptionSend extends SendBase {
  kind: 'transcription';
  file: SentFile;
  /** How long the audio is, in whole seconds. */
  seconds: number;
  language: string | undefined;
  prompt: string | undefined;
  temperature: number | undefined;
  isTimed: boolean;
  granularities: readonly string[] | undefined;
}

const needs: readonly Offer[] = ['model'];

export const transcriptionKind: SendKind<TranscriptionSend> = {
  stored: ({ prompt, seconds, temperature }) => ({
    systemPrompt: '',
    request: `${prompt ? `${prompt}\n` : ''}[audio: ${seconds} s]`,
    parameters: { chat_depth: 0, temperature },
  }),
  outputTokensMax: (_input, model) => model.maxOutputTokens,
  isUncapped: true,
  isReducible: () => false,
  isWhole: () => true,
  needs: () => needs,
  measured: ({ seconds }) => ({ audioSeconds: seconds }),
  // The tokens of audio are not known in advance.
  context: async (_parts, userId, { maxInputTokens }, { prompt = '' }) => ({
    ...(await fitEmbedding([prompt], maxInputTokens, userId)),
    inputTokensMax: maxInputTokens,
  }),
  limitedTexts: ({ prompt = '' }) => [[prompt]],
  estimatePrompt: ({ prompt = '' }, _context, userId) => estimateMessages([prompt], userId),
  work({ input, model: { model } }) {
    const { file, seconds, language, prompt, temperature, traceparent } = input;
    const { isTimed, granularities } = input;
    const words = { language, prompt, temperature, isTimed, granularities };
    return {
      model,
      run: async (provider, signal, context = traceparent): Promise<TranscriptAnswer> => {
        if (!provider.transcribe) {
          throw new UnsupportedError('model', 'This provider has no transcription.');
        }
        const request = { model, file, traceparent: context, ...words };
        const answer = await provider.transcribe(request, signal);
        const { usage } = answer;
        return { ...answer, usage: { ...usage, audioSeconds: usage.audioSeconds ?? seconds } };
      },
    };
  },
};
