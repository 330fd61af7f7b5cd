import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';

type Kind = z.core.$ZodTypeDiscriminable;
type Options = Conversation['options'];

/** An error quotes the caller's text up to this many UTF-16 units. */
const WORD_MAX = 50;

/**
 * One of several kinds of objects, distinguished by a field. The error names the kind that was sent and the kinds that
 * are allowed.
 */
export function oneOf<const Kinds extends readonly [Kind, ...Kind[]]>(field: string, kinds: Kinds) {
  const names = kinds.flatMap(({ _zod: { propValues } }) => [...(propValues?.[field] ?? [])]);
  const taken = names.filter((name) => name !== undefined).join(', ');
  return z.discriminatedUnion(field, kinds, {
    error: ({ code, input }) =>
      code === 'invalid_union'
        ? `${wordIn(input, field)} is not supported here, only ${taken}`
        : undefined,
  });
}

function wordIn(input: unknown, field: string): string {
  const word = (input as Record<string, unknown>)[field];
  return typeof word === 'string' && word !== '' ? `"${word.slice(0, WORD_MAX)}"` : 'this';
}

export const UNSUPPORTED = 'is not supported here: leave it out';

/** Values of `service_tier` that request the usual service. */
const usualTiers: readonly unknown[] = ['auto', 'default', 'standard_only', null, undefined];

/**
 * Refuses fields that would change the answer and that the gateway can't honour. Other unknown fields are ignored.
 * @param fields names with the reason, or names alone
 * @param isHarmless true for a value that asks for the usual behaviour; absent and null always do
 * @throws `invalid_request` that names the field
 */
export function refuseFields(
  body: Record<string, unknown>,
  fields: readonly string[] | Readonly<Record<string, string>>,
  isHarmless: (value: unknown, field: string) => boolean = () => false,
): void {
  const reasons = Array.isArray(fields)
    ? fields.map((field: string) => [field, UNSUPPORTED] as const)
    : Object.entries(fields);
  for (const [field, reason] of reasons) {
    const value = body[field];
    if (value != null && !isHarmless(value, field)) throw invalidField(field, reason);
  }
  // Another tier has another speed and another price.
  if (!usualTiers.includes(body['service_tier'])) throw invalidField('service_tier', UNSUPPORTED);
}

/**
 * Checks the choice of a tool. A forced call without tools would be ignored silently.
 * @throws `invalid_request` that names `tool_choice`
 */
export function choiceAmong(
  tools: readonly unknown[] | null | undefined,
  choice: Options['toolChoice'],
): Options['toolChoice'] {
  const isForced = choice === 'required' || typeof choice === 'object';
  if (isForced && !tools?.length) {
    throw invalidField('tool_choice', 'requires a call, but there are no tools: send tools too');
  }
  return choice;
}

export const functionFields = {
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
};

/** A function in the form of the providers' interface. */
export function toTool({
  name,
  description,
  parameters,
  strict,
}: z.output<z.ZodObject<typeof functionFields>>): NonNullable<Options['tools']>[number] {
  return {
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  };
}

/** The fields of a JSON schema that the answer must match. */
export const schemaFields = {
  name: z.string(),
  description: z.string().nullish(),
  schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
};

/** The schema in the form of the providers' interface. */
export function toFormat({
  name,
  description,
  schema,
  strict,
}: z.output<z.ZodObject<typeof schemaFields>>): NonNullable<Options['responseFormat']> {
  return {
    type: 'json_schema',
    name,
    schema,
    description: description ?? undefined,
    strict: strict ?? undefined,
  };
}

/**
 * Anthropic's mark on a block, also used by other clients: the provider may cache the request up to the end of the
 * block. It is a hint, so its fields (such as `ttl`) are not checked, and have no effect.
 */
export const cacheable = {
  cache_control: z.unknown().optional().describe('The provider may cache the request up to here.'),
};

export const markableText = z.object({
  type: z.literal('text'),
  text: z.string(),
  ...cacheable,
});

type Marked = z.output<z.ZodObject<typeof cacheable>>;
type MarkedText = Marked & { text: string };

export function isMarked({ cache_control: mark }: Marked): boolean {
  return mark != null;
}

/** The field `cacheBreakpoint`, if the block is marked. */
export function breakpointOf(block: Marked): { cacheBreakpoint?: true } {
  return isMarked(block) ? { cacheBreakpoint: true } : {};
}

/** The text of all parts, and the positions of their marks in it. */
export function markedText(parts: string | readonly MarkedText[] | null | undefined): {
  content: string;
  cacheBreakpoints?: number[];
} {
  if (parts == null || typeof parts === 'string') return { content: parts ?? '' };
  let content = '';
  const marks = new Set<number>();
  for (const part of parts) {
    content += part.text;
    if (isMarked(part) && content !== '') marks.add(content.length);
  }
  return marks.size === 0 ? { content } : { content, cacheBreakpoints: [...marks] };
}

/** The text of all parts, marked as a whole if one of them is marked. */
export function markedWhole(parts: string | readonly MarkedText[] | null | undefined): {
  content: string;
  cacheBreakpoint?: true;
} {
  const { content, cacheBreakpoints } = markedText(parts);
  return { content, ...(cacheBreakpoints && { cacheBreakpoint: true }) };
}
