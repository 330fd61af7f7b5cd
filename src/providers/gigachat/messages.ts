import { argumentsObject, calledTools, resultObject, systemText } from '../shared/conversation.ts';
import { UnsupportedError, type Message, type ToolCall } from '../spec.ts';

/** All system messages become one at the start: the API accepts only that. */
export function chatMessages(messages: readonly Message[]): object[] {
  const system = systemText(messages);
  const called = calledTools(messages);
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...messages.flatMap((message, at) => chatMessage(message, () => called(at)) ?? []),
  ];
}

function chatMessage(message: Message, toolName: () => string): object | undefined {
  switch (message.role) {
    case 'system':
    case 'developer':
      return undefined;
    case 'user':
      return { role: 'user', content: userText(message) };
    case 'assistant':
      return assistantMessage(message.content ?? '', message.toolCalls ?? []);
    case 'tool': {
      // The API requires a JSON object in a string.
      const isObject = resultObject(message.content) !== undefined;
      const content = isObject ? message.content : JSON.stringify({ result: message.content });
      return { role: 'function', name: toolName(), content };
    }
  }
}

function userText({ content }: Extract<Message, { role: 'user' }>): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      throw new UnsupportedError('messages', 'This provider does not support images in messages.');
    })
    .join('');
}

function assistantMessage(content: string, calls: readonly ToolCall[]): object {
  const [call, ...more] = calls;
  if (!call) return { role: 'assistant', content };
  if (more.length > 0) {
    const why = 'This provider only supports one tool call in a message.';
    throw new UnsupportedError('messages', why);
  }
  return {
    role: 'assistant',
    content,
    function_call: { name: call.name, arguments: argumentsObject(call) },
    ...(isStateId(call.id) && { functions_state_id: call.id }),
  };
}

/**
 * GigaChat's calls have no ids. An answer with a call has a state id instead, which must be sent back with the
 * result, so it serves as the call's id. Other ids come from the gateway or from another provider.
 */
function isStateId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}
