import { UnsupportedError, type Message } from '../spec.ts';

/** The most breakpoints that the API accepts in a request, wherever they are. */
const BREAKPOINTS_MAX = 4;

/** A block of the request: of a message, of the system prompt, or a tool. */
export interface Block {
  type?: string;
  text?: string;
  /** The API caches the request up to the end of this block, for five minutes from the last use. */
  cache_control?: { type: 'ephemeral' };
  [field: string]: unknown;
}

/** The block, marked as a breakpoint if `isBreakpoint`. */
export function withBreakpoint(block: Block, isBreakpoint: boolean | undefined): Block {
  return isBreakpoint ? { ...block, cache_control: { type: 'ephemeral' } } : block;
}

/** The system messages, split into blocks at their breakpoints; undefined if there are no breakpoints. */
export function systemBlocks(messages: readonly Message[]): Block[] | undefined {
  const blocks: Block[] = [];
  // The separator of two messages, as in `systemText`.
  let gap = '';
  for (const message of messages) {
    if (message.role !== 'system' && message.role !== 'developer') continue;
    const { content, cacheBreakpoints = [] } = message;
    if (content === '') continue;
    let from = 0;
    for (const to of new Set([...cacheBreakpoints, content.length])) {
      const text = gap + content.slice(from, to);
      // The API refuses blank blocks.
      if (text.trim() === '') continue;
      blocks.push(withBreakpoint({ type: 'text', text }, cacheBreakpoints.includes(to)));
      [gap, from] = ['', to];
    }
    gap = '\n\n';
  }
  return blocks.some((block) => block.cache_control) ? blocks : undefined;
}

/** @throws UnsupportedError if these blocks have more breakpoints than the API accepts */
export function refuseTooManyBreakpoints(blocks: readonly Block[]): void {
  const breakpoints = blocks.filter((block) => block.cache_control).length;
  if (breakpoints <= BREAKPOINTS_MAX) return;
  const why = `This provider accepts at most ${BREAKPOINTS_MAX} cache_control breakpoints in a request, tools and system messages included; this request has ${breakpoints}.`;
  throw new UnsupportedError('messages', why);
}
