import { z } from 'zod';
import type { Conversation } from '../../../chat/index.ts';
import { invalidField } from '../../../lib/errors.ts';
import { choiceAmong } from '../../compatible/request-fields.ts';
import { flatName, type OfferedTools } from './tools.ts';

type Options = Conversation['options'];

const modes = z.enum(['auto', 'none', 'required']);
const named = z.looseObject({
  type: z.string(),
  name: z.string().nullish(),
  namespace: z.string().nullish(),
});

/** How the model may choose among the tools. */
export const toolChoice = z.union(
  [
    modes,
    z.object({
      type: z.literal('allowed_tools'),
      mode: modes.default('auto'),
      tools: z.array(named),
    }),
    named,
  ],
  'must be auto, none, required, a tool like {"type":"function","name":…}, or allowed_tools',
);
type RequestedChoice = z.output<typeof toolChoice>;
type Named = z.output<typeof named>;

/** The tools that the model may call, and whether it must. @throws `invalid_request` that names `tool_choice` */
export function chosenTools(
  choice: RequestedChoice | null | undefined,
  { tools, named: names }: OfferedTools,
): Pick<Options, 'tools' | 'toolChoice'> {
  const all = tools.length > 0 ? tools : undefined;
  if (choice == null || typeof choice === 'string') {
    return { tools: all, toolChoice: choiceAmong(all, choice ?? undefined) };
  }
  const nameOf = ({ type, name, namespace }: Named): string | undefined => {
    const wanted = name ?? type;
    const flat = flatName(wanted, namespace);
    if (tools.some((tool) => tool.name === flat)) return flat;
    // A tool in a namespace may be chosen by its own name.
    return Object.entries(names).find(([, each]) => each.name === wanted)?.[0];
  };
  if (isAllowedTools(choice)) {
    const allowed = new Set(choice.tools.map(nameOf));
    const rest = tools.filter(({ name }) => allowed.has(name));
    const left = rest.length > 0 ? rest : undefined;
    return { tools: left, toolChoice: choiceAmong(left, choice.mode) };
  }
  const name = nameOf(choice);
  if (name === undefined) {
    const what = choice.name == null ? choice.type : `${choice.type} ${choice.name}`;
    throw invalidField(
      'tool_choice',
      `requires ${what}, which is not among the tools offered here`,
    );
  }
  return { tools: all, toolChoice: { name } };
}

function isAllowedTools(
  choice: Exclude<RequestedChoice, string>,
): choice is Extract<RequestedChoice, { tools: Named[]; mode: string }> {
  return choice.type === 'allowed_tools';
}
