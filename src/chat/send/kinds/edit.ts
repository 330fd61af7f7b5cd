import { withTraceparent } from '../../../lib/spans.ts';
import { UnsupportedError, type GivenImage, type Offer } from '../../../providers/index.ts';
import { estimateMessages } from '../../context/tokens.ts';
import { partTokens } from './kind.ts';
import { fitEmbedding } from './embedding.ts';
import type { ImageSend } from './image.ts';
import type { SendKind } from './kind.ts';

/** Images that the model changes as the prompt says. They are not kept. */
export interface EditSend extends Omit<ImageSend, 'kind'> {
  kind: 'edit';
  images: readonly GivenImage[];
  mask: GivenImage | undefined;
  fidelity: string | undefined;
}

const needs: readonly Offer[] = ['image'];

export const editKind: SendKind<EditSend> = {
  stored: ({ prompt, images, seed }) => ({
    systemPrompt: '',
    request: [prompt, ...images.map(() => '[image]')].join('\n'),
    parameters: { chat_depth: 0, seed },
  }),
  outputTokensMax: (_input, model) => model.maxOutputTokens,
  isUncapped: true,
  isWhole: () => true,
  isReducible: () => false,
  needs: () => needs,
  // The tokens of images are not known in advance.
  context: async (_parts, userId, { maxInputTokens }, { prompt }) => ({
    ...(await fitEmbedding([prompt], maxInputTokens, userId)),
    inputTokensMax: maxInputTokens,
  }),
  limitedTexts: ({ prompt }) => [[prompt]],
  estimatePrompt: async ({ prompt, images, mask }, _context, userId) =>
    (await estimateMessages([prompt], userId)) +
    (images.length + (mask ? 1 : 0)) * partTokens.image,
  work({ input, model: { model } }) {
    const { prompt, size, quality, seed, traceparent, refuseUnsupported } = input;
    const { images, mask, fidelity } = input;
    const common = { model, prompt, size, quality, seed, traceparent, refuseUnsupported };
    return {
      model,
      run: (provider, signal, context) => {
        if (provider.editImage) {
          const request = { ...common, images, mask, fidelity, reserve: input.trace.reserve };
          return provider.editImage(withTraceparent(request, context), signal);
        }
        throw new UnsupportedError('images', 'This provider does not change images.');
      },
    };
  },
};
