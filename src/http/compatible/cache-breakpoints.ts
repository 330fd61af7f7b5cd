import { z } from 'zod';

/**
 * Anthropic's mark on a block, which others took over: the provider may cache what comes up to the end of the block.
 * A hint, so what it says beside that (`ttl`) is not checked, and has no effect.
 */
export const cacheControl = z
  .unknown()
  .optional()
  .meta({ description: 'The provider may cache what comes up to here.' });

interface MarkedText {
  text: string;
  cache_control?: unknown;
}

export function isMarked({ cache_control: mark }: { cache_control?: unknown }): boolean {
  return mark != null;
}

/** `cacheBreakpoint` of what is marked, and nothing of what is not. */
export function breakpointIf(marked: boolean): { cacheBreakpoint?: true } {
  return marked ? { cacheBreakpoint: true } : {};
}

/** The text of parts, and where in it their marks are. */
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

/** The text of parts that are cached together, if at all: where one of them is marked. */
export function markedWhole(parts: string | readonly MarkedText[] | null | undefined): {
  content: string;
  cacheBreakpoint?: true;
} {
  const { content, cacheBreakpoints } = markedText(parts);
  return { content, ...breakpointIf(cacheBreakpoints !== undefined) };
}
