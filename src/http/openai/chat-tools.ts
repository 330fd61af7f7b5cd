import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import {
  breakpointOf,
  cacheable,
  choiceAmong,
  functionFields,
  oneOf,
  toTool,
} from '../compatible/request-fields.ts';
import { functionOfCustom } from './custom-tools.ts';

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object(functionFields),
  ...cacheable,
});
/** A tool that takes a text instead of arguments that follow a schema. */
const customTool = z.object({
  type: z.literal('custom'),
  custom: z.object({
    name: z.string().min(1),
    description: z.string().nullish(),
    format: z
      .looseObject({
        type: z.string(),
        grammar: z.looseObject({ syntax: z.string(), definition: z.string() }).optional(),
      })
      .nullish(),
  }),
  ...cacheable,
});
export const tool = oneOf('type', [functionTool, customTool]);
type GivenTool = z.output<typeof tool>;

const naming = z.object({ name: z.string() });
const named = oneOf('type', [
  z.object({ type: z.literal('function'), function: naming }),
  z.object({ type: z.literal('custom'), custom: naming }),
]);
type Named = z.output<typeof named>;

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

/** The names of the tools that take a text. */
export function customNames(given: readonly GivenTool[] | null | undefined): ReadonlySet<string> {
  return new Set(given?.flatMap((one) => (one.type === 'custom' ? one.custom.name : [])));
}

/**
 * The tools that the model may call, and whether it must.
 * @throws `invalid_request` for a forced call without tools, or two tools of one name in both forms
 */
export function chosenTools(
  given: readonly GivenTool[] | null | undefined,
  choice: z.output<typeof toolChoice> | null | undefined,
): Pick<Conversation['options'], 'tools' | 'toolChoice'> {
  const custom = customNames(given);
  const tools = given?.map((one) => {
    if (one.type === 'function' && custom.has(one.function.name)) {
      throw invalidField('tools', `has two tools that are called ${one.function.name}`);
    }
    return { ...toFunction(one), ...breakpointOf(one) };
  });
  if (choice == null || typeof choice === 'string') {
    return { tools, toolChoice: choiceAmong(tools, choice ?? undefined) };
  }
  if (choice.type !== 'allowed_tools') {
    return { tools, toolChoice: choiceAmong(tools, { name: nameOf(choice) }) };
  }
  const { mode, tools: allowed } = choice.allowed_tools;
  const names = new Set(allowed.map(nameOf));
  const left = tools?.filter(({ name }) => names.has(name));
  return { tools: left?.length ? left : undefined, toolChoice: choiceAmong(left, mode) };
}

function toFunction(given: GivenTool) {
  if (given.type === 'function') return toTool(given.function);
  const { name, description, format } = given.custom;
  return { name, ...functionOfCustom(description, format?.grammar) };
}

function nameOf(choice: Named): string {
  return choice.type === 'function' ? choice.function.name : choice.custom.name;
}
