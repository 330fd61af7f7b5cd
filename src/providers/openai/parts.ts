import { bytesOfFile, textOfFile } from '../shared/parts.ts';
import { UnsupportedError, type FilePart, type UserPart } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';

/** A message's text or parts. */
export function partsOf(content: string | readonly UserPart[], traits: ServerTraits): unknown {
  return typeof content === 'string' ? content : content.map((part) => chatPart(part, traits));
}

/** Image URLs that Ollama reads. */
const ollamaImage = /^data:image\/(?:jpe?g|png|webp);base64,/;

function chatPart(part: UserPart, { isOllama, files, knowsDeveloper }: ServerTraits): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'file') return filePart(part, files);
  if (isOllama && !ollamaImage.test(part.url)) {
    const why = 'Ollama takes images only as data: URLs of PNG, JPEG or WebP in base64.';
    throw new UnsupportedError('messages', why);
  }
  // Only OpenAI's own models look as closely as at the original.
  const isOriginal = part.detail === 'original' && !knowsDeveloper;
  const detail = isOriginal ? 'high' : part.detail;
  return { type: 'image_url', image_url: { url: part.url, detail } };
}

function filePart(part: FilePart, files: ServerTraits['files']): object {
  const text = textOfFile(part);
  if (text !== undefined) return { type: 'text', text };
  switch (files) {
    case 'openai': {
      bytesOfFile(part);
      const { name = 'file.pdf', url } = part;
      return { type: 'file', file: { filename: name, file_data: url } };
    }
    case 'mistral':
      return { type: 'document_url', document_url: part.url, document_name: part.name };
    case 'none':
      throw new UnsupportedError('messages', noFiles);
  }
}

export const noFiles = 'This provider takes no files other than texts: send the text of the file.';
