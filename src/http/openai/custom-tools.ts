import type { Conversation } from '../../chat/index.ts';

type Tool = NonNullable<Conversation['options']['tools']>[number];

/** The form in which the text of a custom tool has to be written. */
export interface Grammar {
  syntax?: string | undefined;
  definition?: string | undefined;
}

const oneText = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input, as it is.' } },
  required: ['input'],
  additionalProperties: false,
};

/** The function that stands for a custom tool, which takes a text: models only know functions. */
export function functionOfCustom(
  description: string | null | undefined,
  grammar: Grammar | undefined,
): Omit<Tool, 'name'> {
  const rules = grammar?.definition
    ? `\n\nThe input must follow this ${grammar.syntax ?? ''} grammar:\n${grammar.definition}`
    : '';
  return { description: `${description ?? ''}${rules}`.trim() || undefined, parameters: oneText };
}

/** The arguments of a function that stands for a custom tool. */
export function textArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text in these arguments. If the model wrote something else, the arguments unchanged. */
export function textOfArguments(text: string): string {
  const value: { input?: unknown } = parsed(text) ?? {};
  return typeof value.input === 'string' ? value.input : text;
}

/** The object in a text of JSON; undefined if the text is not JSON, or not an object. */
export function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
