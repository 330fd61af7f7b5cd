/** Loaded before the product: the hold counts the messages of a conversation and nothing else. */
import { conversationKind } from '../../../src/chat/send/kinds/conversation.ts';

const context = conversationKind.context.bind(conversationKind);
conversationKind.context = async (parts, userId, model, input) => {
  const { messages } = input.conversation;
  const texts = messages.map((message) =>
    message.role === 'tool' ? { ...message, toolCallId: '' } : message,
  );
  const conversation = { messages: texts, options: {} };
  return context(parts, userId, model, { ...input, conversation });
};
