import type { Call, Message, Reply, Tool, Turn } from './turn.ts';

/** The task of the agents: the files are in the folder in which the agent runs. */
const steps = ['read', 'edit', 'run', 'find', 'ask', 'look'] as const;
type Step = (typeof steps)[number];

/** A tool of the gateway's `/mcp`, by whatever name the agent gives it. */
const trustTool = /last_trust_check$/i;
/** A tool that shows other tools: some agents give their models only the names of those of an MCP server. */
const searchTool = /^tool_?search$/i;
/** A tool that calls one that was found, where that does not join the others. */
const bridgeTool = /^tool_call$/i;
/** How agents name the gateway's server, or its tools, in the list of what can be loaded. */
const serverToLoad = /mcp__zastava__|^zastava$/m;

/** What a tool of an agent is called that can take a step; the first that fits is used. */
const toolNames: Readonly<Record<Step, readonly RegExp[]>> = {
  read: [/^(read|read_file|view|read_files)$/i, /^editor$/i, shellName()],
  edit: [
    /^(edit|replace|str_replace|replace_in_file|edit_file|apply_patch|editor)$/i,
    /^write(_file|_to_file)?$/i,
    shellName(),
  ],
  run: [shellName()],
  find: [searchTool],
  ask: [trustTool, bridgeTool],
  look: [/^view_image$/i, /^(read|read_file|view|read_files|read_many_files)$/i, /^editor$/i],
};

function shellName(): RegExp {
  return /^(bash|shell|shell_command|exec_command|local_shell|run_shell_command|execute_command|run_commands?|runCommand)$/i;
}

export const DONE = 'The task is done.';

/** The next call of the task, or its end. A step is over when its call has a result. */
export function nextStep(turn: Turn): Reply {
  const done = turn.messages.filter(({ role }) => role === 'tool').length;
  const step = stepsWith(turn)[done];
  const pictures = turn.messages.flatMap((message) => message.pictures);
  if (step === undefined) {
    const saw = pictures.map(({ type, bytes }) => `${type} of ${bytes} bytes`).join(', ');
    return finish(turn, `${DONE} I saw ${saw || 'no picture'}.`);
  }
  const tool = toolFor(step, turn.tools);
  if (!tool)
    return finish(turn, `No tool to ${step}: ${turn.tools.map(({ name }) => name).join(' ')}`);
  return { text: `I ${step} now.`, call: callOf(step, tool, turn.messages) };
}

function stepsWith({ tools, messages }: Turn): Step[] {
  const has = (tool: RegExp) => tools.some(({ name }) => tool.test(name));
  const mustFind = has(searchTool) && messages.some(({ text }) => serverToLoad.test(text));
  const mayAsk = mustFind || has(trustTool);
  return steps.filter((one) => (one === 'find' ? mustFind : one !== 'ask' || mayAsk));
}

/** Some agents end a task by a tool. */
function finish({ tools }: Turn, text: string): Reply {
  const end = tools.find(({ name }) => /^(attempt_completion|submit_and_exit)$/i.test(name));
  if (!end) return { text };
  const field = Object.keys(end.schema['properties'] ?? {})[0] ?? 'result';
  return { call: { name: end.name, arguments: { [field]: text } } };
}

function toolFor(step: Step, tools: readonly Tool[]): Tool | undefined {
  for (const pattern of toolNames[step]) {
    const found = tools.find(({ name }) => pattern.test(name));
    if (found) return found;
  }
  return undefined;
}

/** The folder of the task, which the prompt names. */
function folderOf(messages: readonly Message[]): string {
  const said = messages.map(({ text }) => text).join('\n');
  return /All is in the folder (\S+) \./.exec(said)?.[1] ?? '.';
}

function callOf(step: Step, tool: Tool, messages: readonly Message[]): Call {
  if (bridgeTool.test(tool.name)) return { name: tool.name, arguments: bridgedCall };
  const folder = folderOf(messages);
  const file = step === 'look' ? 'screen.png' : 'note.txt';
  const values = valuesOf(step, tool.name, `${folder}/${file}`);
  const properties = Object.entries((tool.schema['properties'] ?? {}) as Record<string, Field>);
  const required = (tool.schema['required'] ?? []) as string[];
  const given = properties.flatMap(([name, field]): [string, unknown][] => {
    const value = valueFor(name, field, values);
    if (value !== undefined) return [[name, value]];
    return required.includes(name) ? [[name, fallback(field)]] : [];
  });
  return { name: tool.name, arguments: Object.fromEntries(given) };
}

const SITE = 'https://example.com/';
const bridgedCall = { name: 'mcp__zastava__last_trust_check', arguments: { url: SITE } };

interface Field {
  type?: string;
  enum?: string[];
  items?: { type?: string; properties?: Record<string, Field>; required?: string[] };
}

interface Values {
  path: string;
  command: string;
  patch: string;
}

const commands: Readonly<Record<Step, (path: string) => string>> = {
  read: (path) => `cat ${path}`,
  edit: (path) => `sed -i s/before/after/ ${path}`,
  run: (path) => `cp ${path} ${path}.copy`,
  look: (path) => `file ${path}`,
  find: () => '',
  ask: () => '',
};

function valuesOf(step: Step, tool: string, path: string): Values {
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-before\n+after\n*** End Patch\n`;
  return { path, patch, command: commands[step](path) };
}

/** What agents call the fields of their tools. */
function valueFor(name: string, field: Field, { path, command, patch }: Values): unknown {
  if (/^(file_?path|path|absolute_path|target_file|filename)$/i.test(name)) return path;
  if (/^(command|cmd|commands)$/i.test(name)) {
    if (field.enum) return field.enum.includes('view') ? 'view' : field.enum[0];
    return field.type === 'array' ? commandList(name, field, command) : command;
  }
  if (/^(old_?string|old_?str|old_?text|search)$/i.test(name)) return 'before';
  if (/^(new_?string|new_?str|new_?text|replace)$/i.test(name)) return 'after';
  if (/^query$/i.test(name)) return 'zastava last_trust_check';
  if (/^url$/i.test(name)) return SITE;
  if (/^(patch|patchText|input)$/i.test(name)) return patch;
  if (/^content$/i.test(name)) return 'after\n';
  if (/^(paths|files|file_paths|edits)$/i.test(name)) return listOf(field, path);
  if (/^description$/i.test(name)) return 'a step of the task';
  return undefined;
}

/** A list of commands, or the words of one. */
function commandList(name: string, { items }: Field, command: string): unknown[] {
  if (name === 'commands') return items?.type === 'object' ? [{ command }] : [command];
  return ['sh', '-c', command];
}

function listOf({ items }: Field, path: string): unknown[] {
  if (items?.type !== 'object') return [path];
  const values = { path, command: '', patch: '' };
  const fields = Object.entries(items.properties ?? {});
  const given = fields.map(([name, field]) => [name, valueFor(name, field, values)]);
  return [Object.fromEntries(given.filter(([, value]) => value !== undefined))];
}

function fallback({ type, enum: options }: Field): unknown {
  if (options) return options[0];
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'text';
}
