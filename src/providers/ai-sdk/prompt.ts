import {
  argumentsObject,
  calledTool,
  calledTools,
  type CalledTools,
} from '../shared/conversation.ts';
import { parseDataUrl } from '../shared/images.ts';
import { asArray, asRecord } from '../shared/wire.ts';
import { UnsupportedError, type Message, type UserPart } from '../spec.ts';
import type { SdkMessage, SdkPart, Version } from './specification.ts';

/** Properties of the model that affect the prompt. */
export interface ModelTraits {
  version: Version;
  /** URLs that the model fetches itself: patterns by media type. */
  supportedUrls: unknown;
}

/** The conversation in the SDK's form; the results of parallel tool calls become one message. */
export function prompt(messages: readonly Message[], model: ModelTraits): SdkMessage[] {
  const result: SdkMessage[] = [];
  const called = calledTools(messages);
  for (const [at, message] of messages.entries()) {
    const converted = sdkMessage(called, at, message, model);
    const last = result.at(-1);
    if (last?.role === 'tool' && converted.role === 'tool') last.content.push(...converted.content);
    else result.push(converted);
  }
  return result;
}

function sdkMessage(
  called: CalledTools,
  at: number,
  message: Message,
  model: ModelTraits,
): SdkMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: message.content };
    case 'user': {
      const { content } = message;
      const parts =
        typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      return { role: 'user', content: parts.map((part) => userPart(part, model)) };
    }
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const texts: SdkPart[] = content ? [{ type: 'text', text: content }] : [];
      const calls = toolCalls.map((call): SdkPart => {
        const { id: toolCallId, name: toolName } = call;
        return { type: 'tool-call', toolCallId, toolName, input: argumentsObject(call) };
      });
      return { role: 'assistant', content: [...texts, ...calls] };
    }
    case 'tool': {
      const { toolCallId, content: value } = message;
      const toolName = calledTool(called, at);
      const output = { type: 'text' as const, value };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
  }
}

function userPart(part: UserPart, { version, supportedUrls }: ModelTraits): SdkPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const image = parseDataUrl(part.url);
  if (image) {
    const { mediaType, base64 } = image;
    return version === 'v3'
      ? { type: 'file', mediaType, data: base64 }
      : { type: 'file', mediaType, data: { type: 'data', data: base64 } };
  }
  const url = part.url.startsWith('https://') ? URL.parse(part.url) : null;
  if (url && takesUrl(url, supportedUrls)) {
    return version === 'v3'
      ? { type: 'file', mediaType: 'image/*', data: url }
      : { type: 'file', mediaType: 'image', data: { type: 'url', url } };
  }
  throw new UnsupportedError(
    'messages',
    'The provider of this model only supports this image as a data: URL in base64.',
  );
}

/** The patterns expect URLs in lower case. */
function takesUrl(url: URL, supportedUrls: unknown): boolean {
  const byType = asRecord(supportedUrls) ?? {};
  const types = Object.keys(byType).filter((type) => /^(?:\*(?:\/\*)?$|image(?:$|\/))/.test(type));
  const patterns = types.flatMap((type) => asArray(byType[type]) ?? []);
  const text = url.href.toLowerCase();
  return patterns.some((pattern) => pattern instanceof RegExp && text.search(pattern) >= 0);
}
