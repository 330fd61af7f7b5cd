import type { Model } from '../api/types.ts';

/** The options with which a message is sent, in addition to its text. */
export interface SendOptions {
  model: Model;
  systemPrompt: string;
  depth: number;
  temperature: number | undefined;
  maxOutputTokens: number | undefined;
  seed: number | undefined;
}

/** The body of a send, and of its estimate. */
export function bodyOf(roomId: string, message: string, options: SendOptions) {
  return {
    room_id: roomId,
    ai: options.model.id,
    message,
    system_prompt: options.systemPrompt === '' ? null : options.systemPrompt,
    chat_depth: options.model.is_chat_mode_allowed === 1 ? options.depth : 0,
    temperature: options.temperature ?? null,
    max_output_tokens: options.maxOutputTokens ?? null,
    seed: options.seed ?? null,
  };
}
