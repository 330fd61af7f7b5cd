import { UnsupportedError, type Message, type ToolCall, type ToolChoice } from '../spec.ts';
import { asRecord, type JsonRecord } from './wire.ts';

/**
 * The system and developer messages of a conversation as one text, for dialects that have one system prompt before
 * all messages; empty if there are none.
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
 * For APIs that refuse a conversation without turns.
 * @param turns without system messages and empty texts
 * @throws UnsupportedError if there are none
 */
export function someTurns<Turn>(turns: Turn[]): Turn[] {
  if (turns.length > 0) return turns;
  const why = 'This provider needs a user or assistant message that is not empty.';
  throw new UnsupportedError('messages', why);
}

/**
 * The arguments of a tool call, for dialects that do not accept them as text.
 * @throws UnsupportedError if they are not a JSON object
 */
export function argumentsObject({ name, arguments: text }: ToolCall): JsonRecord {
  const object = asRecord(parsed(text === '' ? '{}' : text));
  if (object) return object;
  const why = `The provider of this model needs the arguments of the tool call ${name} as a JSON object.`;
  throw new UnsupportedError('messages', why);
}

/** A tool's result, for dialects that only accept objects; undefined if it is not a JSON object. */
export function resultObject(content: string): JsonRecord | undefined {
  return asRecord(parsed(content));
}

/**
 * For dialects that identify results by the names of their tools. Takes one pass, because a conversation can have very
 * many results.
 * @returns a function that gets the name of the tool whose result a message has, by the index of the message; it throws
 * an UnsupportedError if no earlier message has the call
 */
export function calledTools(messages: readonly Message[]): (at: number) => string {
  const byId = new Map<string, string>();
  const names = messages.map((message) => {
    if (message.role === 'tool') return byId.get(message.toolCallId);
    if (message.role !== 'assistant') return undefined;
    // If several calls have the same id, the first one of the latest message counts.
    for (const { id, name } of message.toolCalls?.toReversed() ?? []) byId.set(id, name);
    return undefined;
  });
  return (at) => {
    const name = names[at];
    if (name !== undefined) return name;
    const why =
      'The provider of this model needs the tool call before its result; no earlier call has this id.';
    throw new UnsupportedError('messages', why);
  };
}

/** True if the model must call a tool. */
export function isForced(choice: ToolChoice | undefined): boolean {
  return choice === 'required' || typeof choice === 'object';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
