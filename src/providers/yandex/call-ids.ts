import { isOwnCallId, newCallId } from '../shared/answer-reader.ts';
import type { Message, TextAnswer, TextPart, ToolCall } from '../spec.ts';

/*
 * Yandex's own models use the name of the function as the id of a call. Two calls of the same function then have
 * the same id, and clients lose one of them. So clients get new ids; Yandex gets the names back.
 */

function isName({ id, name }: Pick<ToolCall, 'id' | 'name'>): boolean {
  return id === name;
}

export function withOwnIds(answer: TextAnswer): TextAnswer {
  if (!answer.toolCalls.some(isName)) return answer;
  const toolCalls = answer.toolCalls.map((call) =>
    isName(call) ? { ...call, id: newCallId() } : call,
  );
  return { ...answer, toolCalls };
}

/** The same for the parts of one stream: a call keeps its new id from its first piece to the finish. */
export class OwnIds {
  /** By the index of the call. */
  readonly #ids = new Map<number, string>();

  part(part: TextPart): TextPart {
    if (part.type === 'finish') {
      const toolCalls = part.answer.toolCalls.map((call, index) => ({
        ...call,
        id: this.#ids.get(index) ?? call.id,
      }));
      return { ...part, answer: { ...part.answer, toolCalls } };
    }
    if (part.type !== 'tool_call' || part.id === undefined || part.id !== part.name) return part;
    const id = newCallId();
    this.#ids.set(part.index, id);
    return { ...part, id };
  }
}

/** The conversation with the names of functions as ids again, in calls and in their results. */
export function withNames(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'tool') {
      return { ...message, toolCallId: names.get(message.toolCallId) ?? message.toolCallId };
    }
    if (message.role !== 'assistant' || !message.toolCalls) return message;
    const toolCalls = message.toolCalls.map((call) => {
      if (!isOwnCallId(call.id)) return call;
      names.set(call.id, call.name);
      return { ...call, id: call.name };
    });
    return { ...message, toolCalls };
  });
}
