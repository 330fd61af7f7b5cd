import type { Message, ToolCall, UserPart } from '../spec.ts';

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
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** @param knowsDeveloper compatible servers mostly know the role `system` alone */
export function chatMessages(messages: readonly Message[], knowsDeveloper: boolean): ChatMessage[] {
  return messages.map((message) => chatMessage(message, knowsDeveloper));
}

function chatMessage(message: Message, knowsDeveloper: boolean): ChatMessage {
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
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return { role: 'assistant', content, tool_calls: toolCalls.map(chatToolCall) };
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
