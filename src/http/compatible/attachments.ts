/** Images and files in messages, in the forms that all dialects share. */
import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';

type Message = Conversation['messages'][number];
export type UserPart = Exclude<Extract<Message, { role: 'user' }>['content'], string>[number];

export const imageUrl = z
  .string('names the image: uploaded files are not supported')
  .regex(/^(https:\/\/|data:image\/)/, 'must be an https URL or a data: URL of an image');

/** How closely the model looks; `original` is sent to OpenAI's models only. */
export const imageDetail = z.enum(['auto', 'low', 'high', 'original']).nullish();

export const fileUrl = z
  .string('contains the file: uploaded files are not supported')
  .regex(
    /^(https:\/\/|data:[\w.+-]+\/[\w.+-]+(?:;[\w=.-]+)*;base64,)/,
    'must be an https URL, or a data: URL in base64 with its media type',
  );

/** The content of a tool's result: a text, if it is only that. */
export function resultContent<Part extends { type: string }>(
  parts: readonly Part[],
  toPart: (part: Part) => UserPart,
): readonly UserPart[] | string {
  const content = parts.map(toPart);
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('') : content;
}
