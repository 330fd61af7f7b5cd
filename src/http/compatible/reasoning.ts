import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import { oneOf } from './request-fields.ts';

type ReasoningMode = NonNullable<Conversation['options']['reasoningMode']>;

const display = z.string().nullish();

/** Anthropic's field; other clients send it too, without a budget. */
export const thinking = oneOf('type', [
  z.object({ type: z.literal('enabled'), budget_tokens: z.int().min(1).nullish(), display }),
  z.object({ type: z.enum(['adaptive', 'auto']), display }),
  z.object({ type: z.literal('disabled') }),
]);

type ReasoningSettings = Pick<Conversation['options'], 'reasoningMode' | 'reasoningEffort'>;

/** Whether a request asks the model to reason and to show its reasoning. */
export function requestsReasoning({
  reasoningMode: mode,
  reasoningEffort: effort,
}: ReasoningSettings): boolean {
  if (mode?.type === 'enabled' || mode?.type === 'adaptive') return mode.display !== OMITTED;
  return mode === undefined && effort !== undefined && effort !== 'none';
}

/** The value of `display` for reasoning without its text. */
export const OMITTED = 'omitted';

/** How long answers are. */
export const verbosity = z.enum(['low', 'medium', 'high']).nullish();

/** The field in the form of the providers' interface. */
export function toReasoningMode(
  given: z.output<typeof thinking> | null | undefined,
): ReasoningMode | undefined {
  if (given == null) return undefined;
  if (given.type === 'disabled') return { type: 'disabled' };
  const shown = { display: given.display ?? undefined };
  return given.type === 'enabled' && given.budget_tokens != null
    ? { type: 'enabled', budgetTokens: given.budget_tokens, ...shown }
    : { type: 'adaptive', ...shown };
}
