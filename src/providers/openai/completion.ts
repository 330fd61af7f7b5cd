import { asArray, asRecord, type JsonRecord } from '../shared/wire.ts';
import type { TextPart, TextRequest } from '../spec.ts';
import { ChunkReader } from './answer.ts';
import type { ServerTraits } from './dialect.ts';

export const COMPLETION_PATH = '/completions';

/** The body of `POST /completions`. */
export function completionBody(request: TextRequest, traits: ServerTraits, stream: boolean) {
  const { completion, n, logprobs, seed } = request;
  const [only, ...more] = completion?.prompts ?? [];
  const body: JsonRecord = {
    model: request.model,
    prompt: more.length === 0 ? only : completion?.prompts,
    suffix: completion?.suffix,
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    [traits.seedField]: seed,
    stop: request.stop?.length ? request.stop : undefined,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    n,
    logprobs: logprobs?.alternatives,
    user: traits.knowsUser ? request.user : undefined,
    stream: stream ? true : undefined,
    stream_options: stream && traits.usageOnRequest ? { include_usage: true } : undefined,
  };
  return { body, seed: seed ?? null, warnings: [] };
}

/** Reads a completion like a chat completion, except that it has no message. */
export class CompletionReader extends ChunkReader {
  protected override chunkIn(data: string): unknown {
    return withMessages(super.chunkIn(data), 'delta');
  }

  override readWhole(body: unknown): TextPart[] {
    return super.readWhole(withMessages(body, 'message'));
  }
}

function withMessages(body: unknown, field: 'message' | 'delta'): unknown {
  const fields = asRecord(body);
  const choices = asArray(fields?.['choices'])?.map((choice) => {
    const { text, ...rest } = asRecord(choice) ?? {};
    return { ...rest, logprobs: null, [field]: { content: text } };
  });
  return choices ? { ...fields, choices } : body;
}
