/** Images and files in conversations. */
import { UnsupportedError, type FilePart, type Message, type UserPart } from '../spec.ts';

type Content = string | readonly UserPart[] | null;
type ToolMessage = Extract<Message, { role: 'tool' }>;
export type Attachment = Exclude<UserPart, { type: 'text' }>;

/** The images and files of a message. */
export function attachmentsIn({ content }: { content: Content }): Attachment[] {
  if (content === null || typeof content === 'string') return [];
  return content.filter((part): part is Attachment => part.type !== 'text');
}

/** The conversation with its images and files replaced by the results of `replaced`. */
export function withParts(
  messages: readonly Message[],
  replaced: (part: Attachment) => Attachment,
): Message[] {
  const each = (part: UserPart) => (part.type === 'text' ? part : replaced(part));
  return messages.map((message): Message => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    if (typeof message.content === 'string') return message;
    return { ...message, content: message.content.map(each) };
  });
}

/**
 * The text of a message, for dialects that accept only text. Includes files that are text.
 * @throws UnsupportedError for images and other files
 */
export function onlyText(content: string | readonly UserPart[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      const text = part.type === 'file' ? textOfFile(part) : undefined;
      if (text !== undefined) return text;
      const what = part.type === 'file' ? 'files other than texts' : 'images';
      throw new UnsupportedError('messages', `This provider does not support ${what} in messages.`);
    })
    .join('');
}

/** The texts of a tool's result, and of files that are texts. */
export function resultText({ content }: ToolMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/**
 * The conversation for dialects in which a tool's result is only text: its images and files are moved to a user message
 * after the results, and the result says so.
 */
export function withAttachmentsMoved(messages: readonly Message[]): readonly Message[] {
  if (!messages.some((message) => message.role === 'tool' && typeof message.content !== 'string')) {
    return messages;
  }
  const result: Message[] = [];
  let moved: UserPart[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const attached = attachmentsIn(message);
      moved.push(...introduced(message, attached));
      const note = attached.length > 0 ? [`[${count(attached)} in the next message]`] : [];
      const content = [resultText(message), ...note].filter((text) => text !== '').join('\n');
      result.push({ ...message, content });
      continue;
    }
    if (moved.length > 0 && message.role === 'user') {
      const { content } = message;
      const parts =
        typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      result.push({ ...message, content: [...moved, ...parts] });
    } else {
      if (moved.length > 0) result.push({ role: 'user', content: moved });
      result.push(message);
    }
    moved = [];
  }
  if (moved.length > 0) result.push({ role: 'user', content: moved });
  return result;
}

function introduced({ toolCallId }: ToolMessage, attached: readonly Attachment[]): UserPart[] {
  if (attached.length === 0) return [];
  return [{ type: 'text', text: `From the result of the tool call ${toolCallId}:` }, ...attached];
}

function count({ length }: readonly Attachment[]): string {
  return length === 1 ? '1 attachment is' : `${length} attachments are`;
}

/** Parses `data:application/pdf;base64,…`. @returns undefined for any other URL */
export function parseFileUrl(url: string): { mediaType: string; base64: string } | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const [, mediaType] =
    /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64$/i.exec(url.slice(0, comma)) ?? [];
  if (comma < 0 || mediaType === undefined) return undefined;
  return { mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) };
}

/** Parses `data:image/png;base64,…`. @returns undefined if it is not an image in base64 */
export function parseImageUrl(url: string): ReturnType<typeof parseFileUrl> {
  const file = parseFileUrl(url);
  return file?.mediaType.startsWith('image/') ? file : undefined;
}

export const PDF = 'application/pdf';
const textual =
  /^text\/|^application\/(?:json|xml|yaml|x-yaml|javascript|x-sh|x-ndjson|toml|sql)$|\+(?:json|xml)$/;

/** Whether a file is a text, which every model can read. */
export function isTextFile({ url }: FilePart): boolean {
  return textual.test(parseFileUrl(url)?.mediaType ?? '');
}

/** The text of a text file, under its name. Undefined for other files. */
export function textOfFile({ url, name = 'file' }: FilePart): string | undefined {
  const file = parseFileUrl(url);
  if (!file || !textual.test(file.mediaType)) return undefined;
  return `${name}:\n${Buffer.from(file.base64, 'base64').toString('utf8')}`;
}

/** The bytes of a file that is not text. @throws UnsupportedError if the URL contains no bytes */
export function bytesOfFile({ url }: FilePart): { mediaType: string; base64: string } {
  const file = parseFileUrl(url);
  if (file) return file;
  throw new UnsupportedError(
    'messages',
    'Send a file as a data: URL in base64 with its media type.',
  );
}
