import type { Conversation } from '../../../chat/index.ts';

type Message = Conversation['messages'][number];

const INSTRUCTIONS = `You compact a conversation between a user and an assistant, so that another model can continue it
without having read it. Write what it needs: what the user wants and has decided, what was done and found out (names,
paths, numbers, code and errors exactly), what failed, and what comes next. Do not answer the conversation.`;

/**
 * The request to summarise a conversation. It is one text, since providers refuse calls and results without their
 * tools.
 */
export function compactingMessages(messages: readonly Message[]): Message[] {
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: messages.map(transcript).join('\n\n') },
  ];
}

function transcript(message: Message): string {
  switch (message.role) {
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const calls = toolCalls.map((call) => `[calls ${call.name}, ${call.id}: ${call.arguments}]`);
      return `assistant: ${[...(content === null ? [] : [content]), ...calls].join('\n')}`;
    }
    case 'tool':
      return `result of ${message.toolCallId}: ${textOf(message.content)}`;
    default:
      return `${message.role}: ${textOf(message.content)}`;
  }
}

function textOf(content: Exclude<Message['content'], null>): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/**
 * The field that a client sends back unchanged. It is not a secret: the summary is of the caller's own conversation.
 */
export function packSummary(summary: string): string {
  return Buffer.from(JSON.stringify({ zastava: 1, summary })).toString('base64url');
}

/** Undefined for a text that another service made. */
export function unpackSummary(text: string): string | undefined {
  try {
    const { zastava, summary } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    return zastava === 1 && typeof summary === 'string' ? summary : undefined;
  } catch {
    return undefined;
  }
}

/** The summary as a message, in place of the conversation that it summarises. */
export function summaryMessage(summary: string): Message {
  return { role: 'user', content: `Summary of the conversation so far:\n\n${summary}` };
}
