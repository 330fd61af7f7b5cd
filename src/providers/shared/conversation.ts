import { UnsupportedError, type Message, type ToolCall } from '../spec.ts';
import { asRecord, type JsonRecord } from './json.ts';

/**
 * The texts of a conversation's system and developer messages, joined, for dialects that have one place
 * for them before all messages; empty when there are none.
 */
export function systemText(messages: readonly Message[]): string {
  return messages
    .flatMap((message) =>
      message.role === 'system' || message.role === 'developer' ? [message.content] : [],
    )
    .filter((text) => text !== '')
    .join('\n\n');
}

/**
 * For APIs that refuse a conversation of system messages and empty texts.
 * @param turns what is left without these
 * @throws UnsupportedError when there are none
 */
export function someTurns<Turn>(turns: Turn[]): Turn[] {
  if (turns.length > 0) return turns;
  throw new UnsupportedError(
    'messages',
    'This provider needs a message of the user or the assistant that is not empty.',
  );
}

/**
 * The arguments of a call as an object, for dialects that do not take them as text.
 * @throws UnsupportedError when they are none
 */
export function argumentsObject({ name, arguments: text }: ToolCall): JsonRecord {
  const object = asRecord(parsed(text === '' ? '{}' : text));
  if (object) return object;
  throw new UnsupportedError(
    'messages',
    `The provider of this model needs the arguments of the tool call ${name} as a JSON object.`,
  );
}

/** A tool's result as an object if it is one; for dialects that take nothing else. */
export function resultObject(content: string): JsonRecord | undefined {
  return asRecord(parsed(content));
}

/**
 * The name of the tool whose result a message brings.
 * @throws UnsupportedError when no message before it has that call
 */
export function calledTool(messages: readonly Message[], at: number, toolCallId: string): string {
  for (let i = at - 1; i >= 0; i--) {
    const message = messages[i];
    if (message?.role !== 'assistant') continue;
    const call = message.toolCalls?.find(({ id }) => id === toolCallId);
    if (call) return call.name;
  }
  throw new UnsupportedError(
    'messages',
    'The provider of this model needs the call of a tool before its result; there is none with that id.',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
