import type { Reply, Turn } from './turn.ts';

export type Json = Record<string, unknown>;

/** How a provider's API writes requests and answers. */
export interface Dialect {
  read(body: Json, path: string): Turn;
  whole(reply: Reply, model: string): Json;
  /** Server-sent events; each piece of the text is one. */
  events(reply: Reply, model: string): string[];
}

export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function named(value: { type: string } & Json): string {
  return `event: ${value.type}\n${data(value)}`;
}

let made = 0;

export function idOf(prefix: string): string {
  return `${prefix}_${String(++made).padStart(12, '0')}`;
}

const PIECE_WORDS = 2;

/** The text of a reply as it is streamed. */
export function pieces({ text }: Reply): string[] {
  const words = text?.split(/(?<= )/) ?? [];
  const count = Math.ceil(words.length / PIECE_WORDS);
  return Array.from({ length: count }, (_, index) =>
    words.slice(index * PIECE_WORDS, (index + 1) * PIECE_WORDS).join(''),
  );
}
