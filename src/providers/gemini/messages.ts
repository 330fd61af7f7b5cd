import { argumentsObject, calledTools, resultObject } from '../shared/conversation.ts';
import { parseDataUrl } from '../shared/images.ts';
import { UnsupportedError, type Message, type ToolCall, type UserPart } from '../spec.ts';
import type { Signatures } from './signatures.ts';

interface Content {
  role: 'user' | 'model';
  parts: object[];
}

/**
 * The conversation without its system messages. Consecutive messages of the same side become one content, because
 * the results of parallel tool calls must be in one. Empty texts are left out, because the API refuses them.
 */
export function contents(messages: readonly Message[], signatures: Signatures): Content[] {
  const result: Content[] = [];
  const called = calledTools(messages);
  for (const [at, message] of messages.entries()) {
    const parts = partsOf(message, signatures, () => called(at));
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = result.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else result.push({ role, parts });
  }
  return result;
}

function partsOf(message: Message, signatures: Signatures, toolName: () => string): object[] {
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
        ...(message.toolCalls ?? []).map((call, index) => callPart(call, index, signatures)),
      ];
    case 'tool': {
      const { content, toolCallId } = message;
      const response = resultObject(content) ?? { output: content };
      return [{ functionResponse: { ...idOf(toolCallId), name: toolName(), response } }];
    }
  }
}

function textParts(text: string): object[] {
  return text === '' ? [] : [{ text }];
}

function userParts(part: UserPart): object[] {
  if (part.type === 'text') return textParts(part.text);
  const image = parseDataUrl(part.url);
  if (image) return [{ inlineData: { mimeType: image.mediaType, data: image.base64 } }];
  const why = 'The provider of this model only supports images as data: URLs in base64.';
  throw new UnsupportedError('messages', why);
}

/** Only the first of several parallel calls has a signature. */
function callPart(call: ToolCall, index: number, signatures: Signatures): object {
  const functionCall = { ...idOf(call.id), name: call.name, args: argumentsObject(call) };
  const thoughtSignature = signatures(call.id, index === 0);
  return thoughtSignature === undefined ? { functionCall } : { functionCall, thoughtSignature };
}

/** Only ids that the model assigned are sent back; it does not know the others. */
function idOf(id: string): { id?: string } {
  return id.startsWith('call_') ? {} : { id };
}
