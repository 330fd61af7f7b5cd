import type { TextAnswer, TextRequest } from '../spec.ts';

/** How much of the message the answer repeats, in code points. */
const QUOTE_MAX = 200;
/** The sandbox's token: so many bytes of UTF-8. */
export const BYTES_PER_TOKEN = 4;

type SandboxText = Pick<TextAnswer, 'text' | 'usage' | 'finishReason' | 'rawFinishReason'>;

/** The same request always gets the same answer, which says plainly that no model was asked. */
export function sandboxText(request: TextRequest): SandboxText {
  const whole = answerTo(request);
  const text = cutToBytes(whole, request.maxOutputTokens * BYTES_PER_TOKEN);
  const promptTokens = promptTokensOf(request);
  const completionTokens = tokensOf(text);
  const finishReason = text.length < whole.length ? 'length' : 'stop';
  return {
    text,
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    finishReason,
    rawFinishReason: finishReason,
  };
}

/** Tokens as the sandbox counts them: a quarter of the bytes of UTF-8, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function promptTokensOf(request: TextRequest): number {
  let tokens = tokensOf(request.systemPrompt) + tokensOf(request.message);
  for (const exchange of request.context) {
    tokens += tokensOf(exchange.request) + tokensOf(exchange.response);
  }
  return tokens;
}

function answerTo(request: TextRequest): string {
  const count = request.context.length;
  const context = count === 1 ? '1 earlier message' : `${count} earlier messages`;
  const system = request.systemPrompt === '' ? 'no system prompt' : 'a system prompt';
  return (
    'This is the sandbox: no model was called. ' +
    `You wrote: “${quote(request.message)}”. ` +
    `I was given ${context} as context and ${system}.`
  );
}

function quote(message: string): string {
  // Only so much is taken apart: a message can have megabytes.
  const start = Array.from(message.slice(0, 2 * QUOTE_MAX + 2));
  return start.length > QUOTE_MAX ? `${start.slice(0, QUOTE_MAX).join('')}…` : message;
}

/** The longest start of the text that has at most so many bytes, with no character cut in two. */
function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
