import { UnsupportedError, type Message } from '../spec.ts';

/** The API refuses a request with more of them, wherever they are. */
const BREAKPOINTS_MAX = 4;

/** On a block: the API keeps what it read up to the end of it for five minutes from its last use. */
export interface CacheControl {
  cache_control?: { type: 'ephemeral' };
}

export type TextBlock = CacheControl & { type: 'text'; text: string };

/** The block, as a breakpoint where one is asked for. */
export function withBreakpoint<Block extends CacheControl>(
  block: Block,
  isAsked: boolean | undefined,
): Block {
  return isAsked ? { ...block, cache_control: { type: 'ephemeral' } } : block;
}

/** The system messages cut into blocks at their breakpoints; undefined when they have none. */
export function systemBlocks(messages: readonly Message[]): TextBlock[] | undefined {
  const blocks: TextBlock[] = [];
  // What is between two messages where they are one text: see `systemText`.
  let gap = '';
  for (const message of messages) {
    if (message.role !== 'system' && message.role !== 'developer') continue;
    const { content, cacheBreakpoints = [] } = message;
    if (content === '') continue;
    let from = 0;
    for (const to of new Set([...cacheBreakpoints, content.length])) {
      const block: TextBlock = { type: 'text', text: gap + content.slice(from, to) };
      // The API refuses blank ones.
      if (block.text.trim() === '') continue;
      blocks.push(withBreakpoint(block, cacheBreakpoints.includes(to)));
      [gap, from] = ['', to];
    }
    gap = '\n\n';
  }
  return blocks.some((block) => block.cache_control) ? blocks : undefined;
}

/** @throws UnsupportedError when these blocks have more breakpoints than the API takes */
export function refuseTooManyBreakpoints(blocks: readonly CacheControl[]): void {
  const breakpoints = blocks.filter((block) => block.cache_control).length;
  if (breakpoints <= BREAKPOINTS_MAX) return;
  throw new UnsupportedError(
    'messages',
    `This provider takes at most ${BREAKPOINTS_MAX} marks of cache_control in a request, tools and system included; there are ${breakpoints}.`,
  );
}
