import { z } from 'zod';

type Kind = z.core.$ZodTypeDiscriminable;

/** An error quotes the caller's text up to this length, in UTF-16 units. */
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
