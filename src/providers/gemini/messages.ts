import { argumentsObject, calledTools, resultObject } from '../shared/conversation.ts';
import {
  attachmentsIn,
  bytesOfFile,
  parseImageUrl,
  resultText,
  textOfFile,
} from '../shared/parts.ts';
import {
  UnsupportedError,
  type Message,
  type ReasoningBlock,
  type ToolCall,
  type UserPart,
} from '../spec.ts';
import type { Signatures } from './signatures.ts';

interface Content {
  role: 'user' | 'model';
  parts: object[];
}

/**
 * The conversation without its system messages. Consecutive messages of the same side become one content, because
 * the results of parallel tool calls must be in one. Empty texts are left out, because the API refuses them.
 */
export function contents(
  messages: readonly Message[],
  signatures: Signatures,
  model: string,
): Content[] {
  const result: Content[] = [];
  const called = calledTools(messages);
  for (const [at, message] of messages.entries()) {
    const parts = partsOf(message, { signatures, model, toolName: () => called(at) });
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = result.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else result.push({ role, parts });
  }
  return result;
}

/** Since Gemini 3, the response of a function has parts; earlier models have them beside it. */
const withoutResponseParts = /gemini-[12](?!\d)/;

interface Converting {
  signatures: Signatures;
  model: string;
  toolName: () => string;
}

function partsOf(message: Message, { signatures, model, toolName }: Converting): object[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [];
    case 'user':
      return typeof message.content === 'string'
        ? textParts(message.content)
        : message.content.flatMap(userParts);
    case 'assistant':
      return [
        ...textParts(message.content ?? ''),
        ...(message.toolCalls ?? []).map((call, index) =>
          callPart(call, sealOf(call, message.reasoning) ?? signatures(call.id, index === 0)),
        ),
      ];
    case 'tool': {
      const text = resultText(message);
      const response = resultObject(text) ?? { output: text };
      const functionResponse = { ...idOf(message.toolCallId), name: toolName(), response };
      const parts = attachmentsIn(message).flatMap(userParts);
      if (parts.length === 0) return [{ functionResponse }];
      return withoutResponseParts.test(model)
        ? [{ functionResponse }, ...parts]
        : [{ functionResponse: { ...functionResponse, parts } }];
    }
  }
}

function textParts(text: string): object[] {
  return text === '' ? [] : [{ text }];
}

function userParts(part: UserPart): object[] {
  if (part.type === 'text') return textParts(part.text);
  if (part.type === 'file') {
    const text = textOfFile(part);
    return text === undefined ? [inline(bytesOfFile(part))] : [{ text }];
  }
  const image = parseImageUrl(part.url);
  if (image) return [inline(image)];
  const why = 'The provider of this model only supports images as data: URLs in base64.';
  throw new UnsupportedError('messages', why);
}

function inline({ mediaType, base64 }: { mediaType: string; base64: string }): object {
  return { inlineData: { mimeType: mediaType, data: base64 } };
}

/** The signature that the client sent back with the call. */
function sealOf({ id }: ToolCall, reasoning: readonly ReasoningBlock[] = []): string | undefined {
  for (const { seal } of reasoning) {
    if (seal?.by === 'gemini' && seal.callId === id) return seal.signature;
  }
  return undefined;
}

/** Only the first of several parallel calls has a signature. */
function callPart(call: ToolCall, thoughtSignature: string | undefined): object {
  const functionCall = { ...idOf(call.id), name: call.name, args: argumentsObject(call) };
  return thoughtSignature === undefined ? { functionCall } : { functionCall, thoughtSignature };
}

/** Only ids that the model assigned are sent back; it does not know the others. */
function idOf(id: string): { id?: string } {
  return id.startsWith('call_') ? {} : { id };
}
