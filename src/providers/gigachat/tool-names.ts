import type { TextRequest } from '../spec.ts';

/**
 * Functions that GigaChat has built in: https://developers.sber.ru/docs/ru/gigachat/guides/functions/overview. A tool
 * of the caller with such a name would not be called; Sber's own gateway (ai-forever/gpt2giga) also renames it.
 */
const builtIn: ReadonlySet<string> = new Set([
  'text2image',
  'text2model3d',
  'get_file_content',
  'web_search',
  'url_content_extraction',
  'code_interpreter',
  'image_generate',
  'model_3d_generate',
]);

/** Translates the names of the caller's tools to the wire, and back. */
export interface ToolNames {
  sent(own: string): string;
  own(sent: string): string;
}

const asTheyAre: ToolNames = { sent: (name) => name, own: (name) => name };

export function toolNames({ tools = [] }: Pick<TextRequest, 'tools'>): ToolNames {
  const taken = new Set(tools.map(({ name }) => name));
  const sent = new Map<string, string>();
  for (const { name } of tools) {
    if (!builtIn.has(name)) continue;
    let other = `own_${name}`;
    while (taken.has(other)) other = `own_${other}`;
    taken.add(other);
    sent.set(name, other);
  }
  if (sent.size === 0) return asTheyAre;
  const own = new Map(Array.from(sent, ([name, other]) => [other, name]));
  return { sent: (name) => sent.get(name) ?? name, own: (name) => own.get(name) ?? name };
}
