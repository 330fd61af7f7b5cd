import type { CatalogueModel } from '../../catalogue/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import type { Conversation } from '../context/conversation.ts';

/** What a caller asks for; shapes are checked, values not yet. */
export interface SendInput {
  roomId: string;
  ai: number;
  message: string;
  systemPrompt: string;
  chatDepth: number;
  maxOutputTokens: number | undefined;
  temperature: number | undefined;
  /** Absent: random. */
  seed: number | undefined;
  /** The caller's W3C trace context, passed on to the provider. */
  traceparent: string | undefined;
  /** Sent instead of system prompt, context and message, which are then only recorded in the history. */
  conversation?: Conversation | undefined;
  /** Asks for embeddings of these texts instead of an answer. */
  embedding?: { input: readonly string[]; dimensions: number | undefined } | undefined;
  /** For image models, in the provider's own words. */
  image?: { size: string | undefined; quality: string | undefined } | undefined;
}

/** A request, wherever it is recorded. */
export type SendAsk = Omit<SendInput, 'roomId'>;

/**
 * Checks a request against the model that it names. Nothing is clamped or dropped: what is out of range is
 * refused by name, what has no meaning for the model is named in the returned warnings.
 * @throws `invalid_request`, `chat_mode_not_allowed`
 */
export function checkAgainstModel(model: CatalogueModel, input: SendAsk): string[] {
  if (input.message === '' && !input.conversation)
    throw invalidField('message', 'must not be empty');
  const cap = input.maxOutputTokens;
  if (cap !== undefined && (cap < 1 || cap > model.maxOutputTokens)) {
    throw invalidField(
      'max_output_tokens',
      `must be between 1 and ${model.maxOutputTokens}, the maximum of this model`,
    );
  }
  const { temperature } = input;
  const { minTemperature, maxTemperature } = model;
  if (temperature !== undefined && (temperature < minTemperature || temperature > maxTemperature)) {
    throw invalidField(
      'temperature',
      `must be between ${minTemperature} and ${maxTemperature} for this model`,
    );
  }
  if (input.chatDepth > 0 && !model.chatAllowed) {
    throw new DomainError(
      'chat_mode_not_allowed',
      'this model takes no earlier messages: send chat_depth 0, or choose a model with is_chat_mode_allowed 1',
    );
  }
  return model.type === 'IMAGE' ? meaninglessForImages(input) : [];
}

function meaninglessForImages(input: SendAsk): string[] {
  const ignored: string[] = [];
  if (input.maxOutputTokens !== undefined) ignored.push('max_output_tokens');
  if (input.temperature !== undefined) ignored.push('temperature');
  if (input.systemPrompt !== '') ignored.push('system_prompt');
  if (input.chatDepth > 0) ignored.push('chat_depth');
  return ignored.map((field) => `${field} has no meaning for an image model and was not sent`);
}
