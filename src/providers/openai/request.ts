import type { TextRequest } from '../spec.ts';
import type { TokenLimitField } from './dialect.ts';

interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The body of `POST /chat/completions`, as far as the gateway uses it. */
export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
  seed?: number;
  stream?: true;
  stream_options?: { include_usage: true };
}

export interface Converted<Body> {
  body: Body;
  /** The seed that was sent. */
  seed: number | null;
  warnings: string[];
}

export function chatBody(
  request: TextRequest,
  tokenLimitField: TokenLimitField,
  stream: boolean,
): Converted<ChatBody> {
  const body: ChatBody = {
    model: request.model,
    messages: chatMessages(request),
    [tokenLimitField]: request.maxOutputTokens,
  };
  if (request.temperature !== undefined) body.temperature = request.temperature;
  if (stream) {
    body.stream = true;
    body.stream_options = { include_usage: true };
  }
  if (request.seed === undefined) return { body, seed: null, warnings: [] };
  if (!Number.isSafeInteger(request.seed)) {
    const warning = `The seed ${request.seed} is not supported by this provider, which takes whole numbers only; it was left out.`;
    return { body, seed: null, warnings: [warning] };
  }
  body.seed = request.seed;
  return { body, seed: request.seed, warnings: [] };
}

function chatMessages(request: TextRequest): ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (request.systemPrompt !== '') {
    messages.push({ role: 'system', content: request.systemPrompt });
  }
  for (const exchange of request.context) {
    messages.push({ role: 'user', content: exchange.request });
    messages.push({ role: 'assistant', content: exchange.response });
  }
  messages.push({ role: 'user', content: request.message });
  return messages;
}
