import type { CatalogueModel } from '../../catalogue/index.ts';
import { REDUCED_CAP_MIN, type HoldAsk } from '../../ledger/index.ts';
import { freePrice } from '../../lib/price.ts';
import { fitConversation } from '../context/conversation.ts';
import { readContext, type FittedContext } from '../context/context.ts';
import { fitEmbedding } from '../context/embedding-context.ts';
import type { SenderParts } from './sender-parts.ts';
import type { SendInput } from './rules.ts';

/**
 * The most output tokens that a call can bring: the cap that the caller asked for, or else the model's maximum.
 * No image model is sent a cap, so it may always bring its maximum.
 */
export function capOf(model: CatalogueModel, input: SendInput): number {
  // Embeddings have no output tokens.
  if (input.embedding) return 0;
  if (model.type === 'IMAGE') return model.maxOutputTokens;
  return input.maxOutputTokens ?? model.maxOutputTokens;
}

/** The most that this call can use, at the asked model's price. */
export function holdAsk(model: CatalogueModel, input: SendInput, context: FittedContext): HoldAsk {
  return {
    price: model.price ?? freePrice,
    inputTokensMax: context.inputTokensMax,
    outputTokensMax: capOf(model, input),
    reducibleTo: model.type === 'TEXT' && input.maxOutputTokens === undefined ? REDUCED_CAP_MIN : 0,
    isUncapped: model.type === 'IMAGE',
  };
}

/** What is sent along with a message. An image model takes the message alone. */
export function contextFor(
  { db, images }: Pick<SenderParts, 'db' | 'images'>,
  userId: number,
  model: CatalogueModel,
  input: SendInput,
): FittedContext | Promise<FittedContext> {
  if (input.conversation) return fitConversation(input.conversation, model.maxInputTokens);
  if (input.embedding) return fitEmbedding(input.embedding.input, model.maxInputTokens);
  const isText = model.type === 'TEXT';
  return readContext(db, {
    userId,
    roomId: input.roomId,
    depth: isText ? input.chatDepth : 0,
    systemPrompt: isText ? input.systemPrompt : '',
    message: input.message,
    maxInputTokens: model.maxInputTokens,
    imageUrl: (id) => images.url(id),
  });
}
