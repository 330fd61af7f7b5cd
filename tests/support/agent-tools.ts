/** Tools as Codex sends them. */

export const applyPatch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
};
export const parameters = {
  type: 'object',
  properties: { cmd: { type: 'string' } },
  required: ['cmd'],
  additionalProperties: false,
};
export const command = {
  type: 'function',
  name: 'exec_command',
  description: 'Runs.',
  strict: false,
  parameters,
};
export const github = {
  type: 'namespace',
  name: 'mcp__github',
  description: 'GitHub.',
  tools: [{ type: 'function', name: 'search', parameters }],
};
export const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds.',
  parameters,
};

export const agentTools = [
  command,
  applyPatch,
  github,
  search,
  { type: 'web_search', external_web_access: false },
];
