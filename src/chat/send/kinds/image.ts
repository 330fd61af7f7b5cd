import { withTraceparent } from '../../../lib/spans.ts';
import { UnsupportedError } from '../../../providers/index.ts';
import { readContext } from '../../context/context.ts';
import { estimateMessages } from '../../context/tokens.ts';
import type { SendBase, SendKind } from './kind.ts';
import type { RoomSend } from './room.ts';

/** A prompt to an image model. Size and quality are in the provider's own words. */
export interface ImageSend extends SendBase {
  kind: 'image';
  prompt: string;
  size: string | undefined;
  quality: string | undefined;
  /** Undefined: random. */
  seed: number | undefined;
  /** True refuses by name what the provider can't take; false leaves it out, and warns. */
  refuseUnsupported: boolean;
}

export const imageKind: SendKind<ImageSend> = {
  stored: ({ prompt, seed }) => ({
    systemPrompt: '',
    request: prompt,
    parameters: { chat_depth: 0, seed },
  }),
  outputTokensMax: (_input, model) => model.maxOutputTokens,
  isUncapped: true,
  isWhole: () => true,
  isReducible: () => false,
  context: async (
    { db, images },
    userId,
    { maxInputTokens },
    { roomId, prompt, size = '', quality = '' },
  ) => {
    const { items, inputTokensMax } = await readContext(db, {
      userId,
      roomId,
      depth: 0,
      systemPrompt: '',
      message: prompt,
      maxInputTokens,
      imageUrl: (id) => images.url(id),
    });
    const bytes = inputTokensMax + Buffer.byteLength(size + quality);
    return { items, inputTokensMax: Math.min(maxInputTokens, bytes) };
  },
  limitedTexts: ({ prompt }) => [[prompt]],
  estimatePrompt: ({ prompt }, _context, userId) => estimateMessages([prompt], userId),
  work({ input, model: { model } }) {
    const { prompt, size, quality, seed, traceparent, refuseUnsupported } = input;
    const request = { model, prompt, size, quality, seed, traceparent, refuseUnsupported };
    return {
      model,
      run: async (provider, signal, context) => {
        if (!provider.generateImage) {
          throw new UnsupportedError('model', 'This provider does not generate images.');
        }
        return provider.generateImage(withTraceparent(request, context), signal);
      },
    };
  },
};

/** A send in a room to an image model, which takes the message alone. */
export function imageOfRoom(input: RoomSend): ImageSend {
  const { roomId, ai, message, seed, traceparent, trace } = input;
  return {
    kind: 'image',
    roomId,
    ai,
    prompt: message,
    size: undefined,
    quality: undefined,
    seed,
    traceparent,
    trace,
    refuseUnsupported: false,
  };
}
