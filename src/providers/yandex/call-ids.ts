import { isOwnCallId, newCallId } from '../shared/answer-reader.ts';
import type { Message, TextAnswer, TextPart } from '../spec.ts';

/**
 * The ids of the calls in one answer. Yandex's own models use the name of the function as the id of a call. Two calls of
 * the same function then have the same id, and clients lose one of them. So clients get new ids; Yandex gets the names
 * back.
 */
export class OwnIds {
  /** By the index of the call: in a stream, it keeps its new id from its first piece to the finish. */
  readonly #ids = new Map<number, string>();

  answer<Answer extends Pick<TextAnswer, 'toolCalls'>>(answer: Answer): Answer {
    const toolCalls = answer.toolCalls.map((call, index) => {
      return { ...call, id: this.#idOf(index, call.id, call.name) };
    });
    return { ...answer, toolCalls };
  }

  part(part: TextPart): TextPart {
    if (part.type === 'finish') return { ...part, answer: this.answer(part.answer) };
    if (part.type !== 'tool_call' || part.id === undefined) return part;
    return { ...part, id: this.#idOf(part.index, part.id, part.name) };
  }

  #idOf(index: number, id: string, name: string | undefined): string {
    if (id !== name) return id;
    const own = this.#ids.get(index) ?? newCallId();
    this.#ids.set(index, own);
    return own;
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
