import type { ProviderRefusal } from '../../lib/errors.ts';
import type { ReasoningBlock, ToolCall } from '../../providers/index.ts';

/** The parts of an answer other than its text. */
export interface KeptOutput {
  toolCalls: ToolCall[];
  reasoning?: ReasoningBlock[] | undefined;
  /** Why the provider refused the request, if that is how the response failed. */
  refusal?: ProviderRefusal | undefined;
}

/** The JSON that is stored; undefined for an answer that is only text, as almost every answer is. */
export function keptOutput({ toolCalls, reasoning }: KeptOutput): string | undefined {
  return toolCalls.length > 0 || reasoning?.length
    ? JSON.stringify({ toolCalls, reasoning })
    : undefined;
}

/** The same for a response that failed. */
export function keptRefusal(refusal: ProviderRefusal | undefined): string | undefined {
  return refusal && JSON.stringify({ toolCalls: [], refusal });
}

/**
 * The parts of a stored answer.
 * @param written as `messages` has it: the text, or the calls as JSON if the answer has no text
 */
export function readOutput(written: string, output: string | null): KeptOutput & { text: string } {
  if (output === null) return { text: written, toolCalls: [] };
  const kept = parseKept(output) as KeptOutput;
  const isCalls = kept.toolCalls.length > 0 && written === JSON.stringify(kept.toolCalls);
  return { ...kept, text: isCalls ? '' : written };
}

/** Earlier versions stored reasoning as `thoughts`. Within the strings of JSON, the quotes would be escaped. */
export function parseKept(json: string): unknown {
  return JSON.parse(json.replaceAll('"thoughts":[', '"reasoning":['));
}
