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

/** Of each message that brings the result of a tool, the tool's name; undefined where no call before it has that id. */
export type CalledTools = readonly (string | undefined)[];

/** In one pass: a conversation may have as many results as a request can hold. */
export function calledTools(messages: readonly Message[]): CalledTools {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'tool') return names.get(message.toolCallId);
    if (message.role !== 'assistant') return undefined;
    // Of calls with the same id, the first of the last message counts.
    for (const { id, name } of message.toolCalls?.toReversed() ?? []) names.set(id, name);
    return undefined;
  });
}

/**
 * The name of the tool whose result a message brings.
 * @param at the place of the message
 * @throws UnsupportedError when no message before it has that call
 */
export function calledTool(called: CalledTools, at: number): string {
  const name = called[at];
  if (name !== undefined) return name;
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
