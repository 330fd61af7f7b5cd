import { z } from 'zod';

/**
 * Anthropic's mark on a block, also used by other clients: the provider may cache the request up to the end of the
 * block. It is a hint, so its fields (`ttl`) are not checked, and have no effect.
 */
export const cacheControl = z
  .unknown()
  .optional()
  .meta({ description: 'The provider may cache the request up to here.' });

interface MarkedText {
  text: string;
  cache_control?: unknown;
}

export function isMarked({ cache_control: mark }: { cache_control?: unknown }): boolean {
  return mark != null;
}

/** The field `cacheBreakpoint`, if the block is marked. */
export function breakpointIf(marked: boolean): { cacheBreakpoint?: true } {
  return marked ? { cacheBreakpoint: true } : {};
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
  return { content, ...breakpointIf(cacheBreakpoints !== undefined) };
}
