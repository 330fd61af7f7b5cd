import {
  argumentsObject,
  calledTool,
  calledTools,
  resultObject,
  systemText,
  type CalledTools,
} from '../shared/conversation.ts';
import { UnsupportedError, type Message, type ToolCall } from '../spec.ts';

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | {
      role: 'assistant';
      content: string;
      function_call?: { name: string; arguments: unknown };
      functions_state_id?: string;
    }
  | { role: 'function'; name: string; content: string };

/** The API takes one system message, and it must be the first: there may be several, anywhere. */
export function chatMessages(messages: readonly Message[]): ChatMessage[] {
  const system = systemText(messages);
  const called = calledTools(messages);
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.flatMap((message, at) => chatMessage(called, at, message)),
  ];
}

function chatMessage(called: CalledTools, at: number, message: Message): ChatMessage[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [];
    case 'user':
      return [{ role: 'user', content: userText(message) }];
    case 'assistant':
      return [assistantMessage(message.content ?? '', message.toolCalls ?? [])];
    case 'tool': {
      const name = calledTool(called, at);
      // The content must be a JSON object in a string.
      const isObject = resultObject(message.content) !== undefined;
      const content = isObject ? message.content : JSON.stringify({ result: message.content });
      return [{ role: 'function', name, content }];
    }
  }
}

function userText({ content }: Extract<Message, { role: 'user' }>): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      throw new UnsupportedError('messages', 'This provider takes no images in messages.');
    })
    .join('');
}

function assistantMessage(content: string, calls: readonly ToolCall[]): ChatMessage {
  const [call, ...more] = calls;
  if (!call) return { role: 'assistant', content };
  if (more.length > 0) {
    throw new UnsupportedError('messages', 'This provider takes one tool call a message only.');
  }
  return {
    role: 'assistant',
    content,
    function_call: { name: call.name, arguments: argumentsObject(call) },
    ...(isStateId(call.id) && { functions_state_id: call.id }),
  };
}

/**
 * Calls have no id of their own here, but the answer that calls has a state, and wants it back with the
 * result: it serves as the id. One that is none was made by us or by another provider.
 */
function isStateId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}
