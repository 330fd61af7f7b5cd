import { argumentsObject, calledTools, resultObject, systemText } from '../shared/conversation.ts';
import type { ToolNames } from './tool-names.ts';
import { onlyText } from '../shared/parts.ts';
import { UnsupportedError, type Message, type ToolCall } from '../spec.ts';

/**
 * All system messages become one at the start: the API accepts only that.
 * @param hasTools whether the request also has tools
 */
export function chatMessages(
  messages: readonly Message[],
  names: ToolNames,
  hasTools: boolean,
): object[] {
  const system = systemText(messages);
  const called = calledTools(messages);
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...messages.flatMap(
      (message, at) => chatMessage(message, () => names.sent(called(at)), names, hasTools) ?? [],
    ),
  ];
}

function chatMessage(
  message: Message,
  toolName: () => string,
  names: ToolNames,
  hasTools: boolean,
): object | undefined {
  switch (message.role) {
    case 'system':
    case 'developer':
      return undefined;
    case 'user':
      return { role: 'user', content: onlyText(message.content) };
    case 'assistant':
      return assistantMessage(message.content ?? '', message.toolCalls ?? [], names, hasTools);
    case 'tool': {
      // The API requires a JSON object in a string.
      const text = onlyText(message.content);
      const isObject = resultObject(text) !== undefined;
      const content = isObject ? text : JSON.stringify({ result: text });
      return { role: 'function', name: toolName(), content };
    }
  }
}

function assistantMessage(
  content: string,
  calls: readonly ToolCall[],
  names: ToolNames,
  hasTools: boolean,
): object {
  const [call, ...more] = calls;
  if (!call) return { role: 'assistant', content };
  if (more.length > 0) {
    const why = 'This provider only supports one tool call in a message.';
    throw new UnsupportedError('messages', why);
  }
  return {
    role: 'assistant',
    content,
    function_call: { name: names.sent(call.name), arguments: argumentsObject(call) },
    ...(!hasTools && isStateId(call.id) && { functions_state_id: call.id }),
  };
}

/**
 * GigaChat's calls have no ids. An answer with a call has a state id instead, which serves as the call's id. When it is
 * sent back, it replaces the functions of the request: Sber's own gateway leaves it out beside them, because version 1
 * of the API refuses both (ai-forever/gpt2giga, CHANGELOG). Other ids are those of the gateway or of another provider.
 */
function isStateId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}
