import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import {
  breakpointOf,
  cacheable,
  choiceAmong,
  functionFields,
  toTool,
} from '../compatible/request-fields.ts';

export const tool = z.object({
  type: z.literal('function', 'only function tools are supported'),
  function: z.object(functionFields),
  ...cacheable,
});

const named = z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) });

export const toolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    named,
    z.object({
      type: z.literal('allowed_tools'),
      allowed_tools: z.object({ mode: z.enum(['auto', 'required']), tools: z.array(named) }),
    }),
  ],
  'must be auto, none, required, {"type":"function","function":{"name":…}} or allowed_tools',
);

/**
 * The tools that the model may call, and whether it must.
 * @throws `invalid_request` for a forced call without tools
 */
export function chosenTools(
  given: z.output<typeof tool>[] | null | undefined,
  choice: z.output<typeof toolChoice> | null | undefined,
): Pick<Conversation['options'], 'tools' | 'toolChoice'> {
  const tools = given?.map((one) => ({ ...toTool(one.function), ...breakpointOf(one) }));
  if (choice == null || typeof choice === 'string') {
    return { tools, toolChoice: choiceAmong(tools, choice ?? undefined) };
  }
  if (choice.type === 'function') {
    return { tools, toolChoice: choiceAmong(tools, { name: choice.function.name }) };
  }
  const { mode, tools: allowed } = choice.allowed_tools;
  const names = new Set(allowed.map((one) => one.function.name));
  const left = tools?.filter(({ name }) => names.has(name));
  return { tools: left?.length ? left : undefined, toolChoice: choiceAmong(left, mode) };
}
