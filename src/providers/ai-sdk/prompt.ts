import { argumentsObject, calledTools } from '../shared/conversation.ts';
import {
  parseFileUrl,
  parseImageUrl,
  resultText,
  textOfFile,
  withAttachmentsMoved,
} from '../shared/parts.ts';
import { asArray, asRecord } from '../shared/wire.ts';
import { UnsupportedError, type Message, type UserPart } from '../spec.ts';
import type { Version } from './specification.ts';

type SdkMessage =
  { role: 'system'; content: string } | { role: 'user' | 'assistant' | 'tool'; content: object[] };

export interface ModelTraits {
  version: Version;
  /** URLs that the model fetches itself: patterns by media type. */
  supportedUrls: unknown;
}

/** The conversation in the SDK's form; the results of parallel tool calls become one message. */
export function prompt(messages: readonly Message[], model: ModelTraits): SdkMessage[] {
  const result: SdkMessage[] = [];
  const moved = withAttachmentsMoved(messages);
  const called = calledTools(moved);
  for (const [at, message] of moved.entries()) {
    const converted = sdkMessage(message, model, () => called(at));
    const last = result.at(-1);
    if (last?.role === 'tool' && converted.role === 'tool') last.content.push(...converted.content);
    else result.push(converted);
  }
  return result;
}

function sdkMessage(message: Message, model: ModelTraits, toolName: () => string): SdkMessage {
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
      const texts = content ? [{ type: 'text', text: content }] : [];
      const calls = toolCalls.map((call) => {
        const { id: toolCallId, name } = call;
        return { type: 'tool-call', toolCallId, toolName: name, input: argumentsObject(call) };
      });
      return { role: 'assistant', content: [...texts, ...calls] };
    }
    case 'tool': {
      const { toolCallId } = message;
      const output = { type: 'text', value: resultText(message) };
      const result = { type: 'tool-result', toolCallId, toolName: toolName(), output };
      return { role: 'tool', content: [result] };
    }
  }
}

function userPart(part: UserPart, { version, supportedUrls }: ModelTraits): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const text = part.type === 'file' ? textOfFile(part) : undefined;
  if (text !== undefined) return { type: 'text', text };
  const file = part.type === 'file' ? parseFileUrl(part.url) : parseImageUrl(part.url);
  if (file) {
    const { mediaType, base64 } = file;
    const data = version === 'v3' ? base64 : { type: 'data', data: base64 };
    const filename = part.type === 'file' && part.name !== undefined && { filename: part.name };
    return { type: 'file', mediaType, data, ...filename };
  }
  const isUrl = part.type === 'image' && part.url.startsWith('https://');
  const url = isUrl ? URL.parse(part.url) : null;
  if (url && takesUrl(url, supportedUrls)) {
    return version === 'v3'
      ? { type: 'file', mediaType: 'image/*', data: url }
      : { type: 'file', mediaType: 'image', data: { type: 'url', url } };
  }
  const why =
    'The provider of this model only supports this image or file as a data: URL in base64.';
  throw new UnsupportedError('messages', why);
}

/** The patterns expect URLs in lower case. */
function takesUrl(url: URL, supportedUrls: unknown): boolean {
  const byType = asRecord(supportedUrls) ?? {};
  const types = Object.keys(byType).filter((type) => /^(?:\*(?:\/\*)?$|image(?:$|\/))/.test(type));
  const patterns = types.flatMap((type) => asArray(byType[type]) ?? []);
  const text = url.href.toLowerCase();
  return patterns.some((pattern) => pattern instanceof RegExp && text.search(pattern) >= 0);
}
