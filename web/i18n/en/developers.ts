export const developers = {
  hint: 'Any client of OpenAI or Anthropic works here after two changes: its base URL and its key.',
  baseUrl: 'Base URL',
  key: 'Key',
  makeKey: 'Make one under',
  keys: 'Account → API keys',
  variable: 'The lines below read it from the variable',
  examples: 'Lines to begin with',
  reference: 'Every operation with its fields, to be tried in the browser',
};
