import type { ClientKind } from './client.ts';
import { aiSdk } from './kinds/ai-sdk.ts';
import { anthropicMessages } from './kinds/anthropic.ts';
import { langChain } from './kinds/langchain.ts';
import { openAiChat } from './kinds/openai-chat.ts';
import { openAiResponses } from './kinds/openai-responses.ts';

/** The client libraries that people already use, unmodified. */
export const kinds: readonly ClientKind[] = [
  openAiChat,
  openAiResponses,
  anthropicMessages,
  aiSdk,
  langChain,
];
