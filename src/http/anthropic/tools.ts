import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { breakpointOf, cacheable, choiceAmong, toTool } from '../compatible/request-fields.ts';

/** Tools that Anthropic runs itself, in the versions of all dates. */
const hosted = /^(?:web_search|web_fetch|code_execution|tool_search_tool)_/;
const hostedSearch = /^tool_search_tool_/;

export const tool = z
  .object({
    type: z
      .string()
      .regex(new RegExp(`^custom$|${hosted.source}`), 'only custom tools are supported')
      .nullish(),
    name: z.string().min(1),
    description: z.string().nullish(),
    input_schema: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
    /** True: the model gets the tool only once a search has found it. */
    defer_loading: z.boolean().nullish(),
    ...cacheable,
  })
  .refine((given) => !isOwn(given) || given.input_schema != null, {
    path: ['input_schema'],
    error: 'is missing',
  });
type GivenTool = z.output<typeof tool>;

export const toolChoice = z.object({
  type: z.enum(['auto', 'any', 'tool', 'none']),
  name: z.string().optional(),
  disable_parallel_tool_use: z.boolean().nullish(),
});
type ToolChoice = z.output<typeof toolChoice>;

/**
 * The tools that the model may call, and whether it must.
 * @param found the names of the tools that searches have found
 * @throws `invalid_request` for a forced call of a missing tool
 */
export function chosenTools(
  given: readonly GivenTool[] | null | undefined,
  choice: ToolChoice | null | undefined,
  found: ReadonlySet<string>,
): Pick<Conversation['options'], 'tools' | 'toolChoice'> {
  const own = given?.filter(isOwn);
  const isHosted = given?.some((one) => !isOwn(one) && one.name === choice?.name);
  if (choice?.type === 'tool' && isHosted) {
    throw invalidField('tool_choice', `requires ${choice.name}, which the gateway does not run`);
  }
  // The gateway runs no search, so with only Anthropic's search a model would find no tools.
  const canSearch = !given?.some(({ type }) => hostedSearch.test(type ?? ''));
  const isOffered = ({ name, defer_loading: isDeferred }: GivenTool) =>
    !isDeferred || !canSearch || found.has(name) || choice?.name === name;
  const tools = own?.filter(isOffered).map((one) => ({
    ...toTool({ ...one, parameters: one.input_schema }),
    ...breakpointOf(one),
  }));
  return {
    tools: tools?.length === 0 && given?.length !== 0 ? undefined : tools,
    toolChoice: choiceAmong(own, choice ? choiceOf(choice) : undefined),
  };
}

/** The types of the tools that are not offered to the model. */
export function leftOutTools(given: readonly GivenTool[] | null | undefined): string[] {
  return given?.flatMap(({ type }) => (isOwn({ type }) ? [] : (type ?? []))) ?? [];
}

function isOwn({ type }: { type?: string | null | undefined }): boolean {
  return type == null || type === 'custom';
}

function choiceOf(choice: ToolChoice): Conversation['options']['toolChoice'] {
  if (choice.type === 'any') return 'required';
  if (choice.type !== 'tool') return choice.type;
  if (choice.name === undefined)
    throw invalidField('tool_choice.name', 'must name the tool to call');
  return { name: choice.name };
}
