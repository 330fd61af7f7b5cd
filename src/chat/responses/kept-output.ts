import type { ProviderRefusal } from '../../lib/errors.ts';
import type { Thought, ToolCall } from '../../providers/index.ts';

/** What an answer has besides its text. */
export interface KeptOutput {
  toolCalls: ToolCall[];
  thoughts?: Thought[] | undefined;
  /** Why the provider refused the request, if that is how the response failed. */
  refusal?: ProviderRefusal | undefined;
}

/** The JSON that is stored; undefined for an answer that is a text alone, which is nearly every one. */
export function keptOutput({ toolCalls, thoughts }: KeptOutput): string | undefined {
  return toolCalls.length > 0 || thoughts?.length
    ? JSON.stringify({ toolCalls, thoughts })
    : undefined;
}

/** The same of a response that failed. */
export function keptRefusal(refusal: ProviderRefusal | undefined): string | undefined {
  return refusal && JSON.stringify({ toolCalls: [], refusal });
}

/**
 * The parts of a stored answer.
 * @param written as `messages` has it: the text or, of an answer without one, the calls as JSON
 */
export function readOutput(written: string, output: string | null): KeptOutput & { text: string } {
  if (output === null) return { text: written, toolCalls: [] };
  const kept = JSON.parse(output) as KeptOutput;
  const isCalls = kept.toolCalls.length > 0 && written === JSON.stringify(kept.toolCalls);
  return { ...kept, text: isCalls ? '' : written };
}
