import type { Message, ToolCall, UserPart } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } };

export interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type ChatMessage =
  | { role: 'system' | 'developer'; content: string }
  | { role: 'user'; content: string | ChatPart[] }
  | {
      role: 'assistant';
      content: string | null;
      reasoning_content?: string;
      tool_calls?: ChatToolCall[];
    }
  | { role: 'tool'; tool_call_id: string; content: string };

/** Replaces thoughts that were not kept: the server requires the field and refuses an empty one. */
const NO_THOUGHT = ' ';

export function chatMessages(messages: readonly Message[], traits: ServerTraits): ChatMessage[] {
  return messages.map((message) => chatMessage(message, traits));
}

function chatMessage(
  message: Message,
  { knowsDeveloper, wantsThoughts }: ServerTraits,
): ChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'developer':
      return { role: knowsDeveloper ? 'developer' : 'system', content: message.content };
    case 'user': {
      const { content } = message;
      return {
        role: 'user',
        content: typeof content === 'string' ? content : content.map(chatPart),
      };
    }
    case 'assistant': {
      const { content, toolCalls = [], thoughts } = message;
      return {
        role: 'assistant',
        content,
        ...(wantsThoughts && { reasoning_content: thoughts || NO_THOUGHT }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(chatToolCall) }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

function chatPart(part: UserPart): ChatPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { url, detail } = part;
  return { type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } };
}

function chatToolCall({ id, name, arguments: text }: ToolCall): ChatToolCall {
  return { id, type: 'function', function: { name, arguments: text } };
}
