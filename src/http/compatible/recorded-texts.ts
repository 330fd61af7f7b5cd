import type { Conversation, SendInput } from '../../chat/index.ts';

/** What the history records of a conversation: its instructions and its last message. */
export function recordedTexts(
  messages: Conversation['messages'],
): Pick<SendInput, 'systemPrompt' | 'message'> {
  const systemPrompt = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n');
  const content = messages.findLast(({ role }) => role === 'user' || role === 'tool')?.content;
  const message =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  return { systemPrompt, message };
}
