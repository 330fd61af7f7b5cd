import { asArray, asRecord } from '../shared/json.ts';

/** What a message or a delta says; texts of reasoning are not part of the answer. */
export interface Content {
  text: string;
  refusal: string;
}

/**
 * The content of a message or of a stream's delta: a string, null, or an array of parts.
 * @returns undefined when it is none of these
 */
export function readContent(message: Readonly<Record<string, unknown>>): Content | undefined {
  const refusal = message['refusal'] ?? '';
  const content = message['content'] ?? '';
  if (typeof refusal !== 'string') return undefined;
  if (typeof content === 'string') return { text: content, refusal };
  const parts = asArray(content);
  return parts ? joinParts(parts, refusal) : undefined;
}

/** What the model thought before it said a message, or a part of that; empty when nothing is told. */
export function readThoughts(message: Readonly<Record<string, unknown>>): string {
  const thoughts = message['reasoning_content'];
  return typeof thoughts === 'string' ? thoughts : '';
}

function joinParts(parts: readonly unknown[], refusal: string): Content | undefined {
  const said: Content = { text: '', refusal };
  for (const value of parts) {
    const part = asRecord(value);
    if (!part) return undefined;
    if (typeof part['text'] === 'string' && part['type'] === 'text') said.text += part['text'];
    if (typeof part['refusal'] === 'string') said.refusal += part['refusal'];
  }
  return said;
}
