import { attachmentsIn } from '../shared/parts.ts';
import {
  UnsupportedError,
  noUsage,
  type Message,
  type FinishReason,
  type TextRequest,
} from '../spec.ts';

/** How much of the message the answer repeats, in code points. */
const QUOTE_MAX = 200;
/** Bytes of UTF-8 in a token of the sandbox. */
export const BYTES_PER_TOKEN = 4;

/**
 * The answer to a request, always the same for the same request; it says that no model was called. Temperature,
 * penalties and reasoning effort are accepted and have no effect.
 * @throws UnsupportedError for tools, images and JSON, which a fixed sentence cannot support
 */
export function sandboxText(request: TextRequest) {
  refuseUnsupported(request);
  const { text: whole, stopSequence } = cutAtStop(answerTo(request.messages), request.stop ?? []);
  const text = cutToBytes(whole, request.maxOutputTokens * BYTES_PER_TOKEN);
  const promptTokens = request.messages.reduce(
    (sum, { content }) => sum + tokensOf(textOf(content)),
    0,
  );
  const completionTokens = tokensOf(text);
  const finishReason: FinishReason = text.length < whole.length ? 'length' : 'stop';
  const totalTokens = promptTokens + completionTokens;
  return {
    text,
    toolCalls: [],
    usage: { ...noUsage, promptTokens, completionTokens, totalTokens },
    finishReason,
    ...(finishReason === 'stop' && stopSequence !== undefined && { stopSequence }),
  };
}

function refuseUnsupported({ tools = [], responseFormat, messages }: TextRequest): void {
  if (tools.length > 0) throw new UnsupportedError('tools', 'The sandbox does not support tools.');
  if (responseFormat && responseFormat.type !== 'text') {
    throw new UnsupportedError('responseFormat', 'The sandbox only supports plain text answers.');
  }
  if (messages.some((message) => attachmentsIn(message).length > 0)) {
    throw new UnsupportedError('messages', 'The sandbox does not support images and files.');
  }
}

/** Tokens as the sandbox counts them: a quarter of the bytes of UTF-8, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function textOf(content: Message['content']): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function answerTo(messages: readonly Message[]): string {
  const question = messages.findLast(({ role }) => role === 'user');
  const answered = messages.filter(({ role }) => role === 'assistant').length;
  const context = answered === 1 ? '1 earlier message' : `${answered} earlier messages`;
  const hasSystem = messages.some(({ role }) => role === 'system' || role === 'developer');
  return (
    'This is the sandbox: no model was called. ' +
    `You wrote: “${quote(textOf(question?.content ?? ''))}”. ` +
    `I was given ${context} as context and ${hasSystem ? 'a system prompt' : 'no system prompt'}.`
  );
}

/** The text up to the first stop sequence in it. */
function cutAtStop(
  text: string,
  stops: readonly string[],
): { text: string; stopSequence?: string } {
  const [first] = stops
    .map((stop) => ({ stop, at: stop === '' ? -1 : text.indexOf(stop) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  return first ? { text: text.slice(0, first.at), stopSequence: first.stop } : { text };
}

function quote(message: string): string {
  // A message can have megabytes, so only its start is split into code points.
  const start = Array.from(message.slice(0, 2 * QUOTE_MAX + 2));
  return start.length > QUOTE_MAX ? `${start.slice(0, QUOTE_MAX).join('')}…` : message;
}

/** The longest prefix of whole characters with at most this many bytes. */
function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
