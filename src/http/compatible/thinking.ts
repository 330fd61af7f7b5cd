import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import { oneOf } from './request-fields.ts';

type Thinking = NonNullable<Conversation['options']['thinking']>;

const display = z.string().nullish();

/** Anthropic's field; other clients send it too, without a budget. */
export const thinking = oneOf('type', [
  z.object({ type: z.literal('enabled'), budget_tokens: z.int().min(1).nullish(), display }),
  z.object({ type: z.enum(['adaptive', 'auto']), display }),
  z.object({ type: z.literal('disabled') }),
]);

type ThinkingFields = Pick<Conversation['options'], 'thinking' | 'reasoningEffort'>;

/** Whether a request asks the model to think and to show its thoughts. */
export function requestsThoughts({
  thinking: wanted,
  reasoningEffort: effort,
}: ThinkingFields): boolean {
  if (wanted?.type === 'enabled' || wanted?.type === 'adaptive') return wanted.display !== OMITTED;
  return wanted === undefined && effort !== undefined && effort !== 'none';
}

/** The value of `display` for thoughts without their text. */
export const OMITTED = 'omitted';

/** How long answers are. */
export const verbosity = z.enum(['low', 'medium', 'high']).nullish();

/** The field in the form of the providers' interface. */
export function toThinking(
  given: z.output<typeof thinking> | null | undefined,
): Thinking | undefined {
  if (given == null) return undefined;
  if (given.type === 'disabled') return { type: 'disabled' };
  const shown = { display: given.display ?? undefined };
  return given.type === 'enabled' && given.budget_tokens != null
    ? { type: 'enabled', budgetTokens: given.budget_tokens, ...shown }
    : { type: 'adaptive', ...shown };
}
