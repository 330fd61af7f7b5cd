import { argumentsObject } from '../shared/conversation.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { UnsupportedError, type Message, type UserPart } from '../spec.ts';

export type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; source: ImageSource }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content: string };

type ImageSource =
  { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string };

export interface Turn {
  role: 'user' | 'assistant';
  content: Block[];
}

/**
 * The conversation without its system messages. What the same side says in a row becomes one turn, since
 * the results of parallel tool calls must come in one; empty texts, which the API refuses, are left out.
 */
export function turns(messages: readonly Message[]): Turn[] {
  const result: Turn[] = [];
  for (const message of messages) {
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = result.at(-1);
    if (last?.role === role) last.content.push(...content);
    else result.push({ role, content });
  }
  return result;
}

function blocksOf(message: Message): Block[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [];
    case 'user':
      return typeof message.content === 'string'
        ? textBlocks(message.content)
        : message.content.flatMap(userBlocks);
    case 'assistant':
      return [
        ...textBlocks(message.content ?? ''),
        ...(message.toolCalls ?? []).map((call): Block => ({
          type: 'tool_use',
          id: call.id,
          name: call.name,
          input: argumentsObject(call),
        })),
      ];
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.content }];
  }
}

function textBlocks(text: string): Block[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function userBlocks(part: UserPart): Block[] {
  if (part.type === 'text') return textBlocks(part.text);
  return [{ type: 'image', source: imageSource(part.url) }];
}

function imageSource(url: string): ImageSource {
  if (url.startsWith('https://')) return { type: 'url', url };
  const image = parseDataUrl(url);
  if (image) return { type: 'base64', media_type: image.mediaType, data: image.base64 };
  throw new UnsupportedError(
    'messages',
    'Send an image as an https:// address, or as a data: URL in base64.',
  );
}
