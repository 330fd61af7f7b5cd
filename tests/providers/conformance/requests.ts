/** Requests that every dialect must make; `requests.json` contains the body that each dialect sends. */
import type { Message, TextRequest, Tool } from '../../../src/providers/index.ts';

export const plain: TextRequest = {
  model: 'model-1',
  messages: [{ role: 'user', content: 'Hello there' }],
  maxOutputTokens: 100,
};

const tools: Tool[] = [
  {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'get_time' },
];

const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Москва"}' };

function before(...earlier: Message[]): Partial<TextRequest> {
  return { messages: [...earlier, ...plain.messages] };
}

function picture(url: string): Partial<TextRequest> {
  const content = [
    { type: 'text' as const, text: 'What is it?' },
    { type: 'image' as const, url },
  ];
  return { messages: [{ role: 'user', content }] };
}

const schema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
};

/** The fields that each request adds to `plain`. */
export const additions: Readonly<Record<string, Partial<TextRequest>>> = {
  plain: {},
  system: before({ role: 'system', content: 'Be brief.' }),
  developer: before({ role: 'developer', content: 'Be brief.' }),
  context: before({ role: 'user', content: 'q1' }, { role: 'assistant', content: 'a1' }),
  cap: { maxOutputTokens: 7 },
  temperature: { temperature: 0.5 },
  topP: { topP: 0.9 },
  stop: { stop: ['END'] },
  seed: { seed: 7 },
  frequencyPenalty: { frequencyPenalty: 0.5 },
  presencePenalty: { presencePenalty: 0.5 },
  user: { user: 'u-1' },
  effort: { reasoningEffort: 'low' },
  unknownEffort: { reasoningEffort: 'enormous' },
  tools: { tools },
  noTools: { tools, toolChoice: 'none' },
  anyTool: { tools, toolChoice: 'required' },
  oneTool: { tools, toolChoice: { name: 'get_weather' } },
  singleCalls: { tools, parallelToolCalls: false },
  toolResult: before(
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: null, toolCalls: [call] },
    { role: 'tool', toolCallId: 'call_1', content: '+5' },
  ),
  json: { responseFormat: { type: 'json_object' } },
  jsonSchema: { responseFormat: { type: 'json_schema', name: 'number', schema } },
  image: picture('data:image/png;base64,iVBORw0KGgo='),
  imageUrl: picture('https://example.com/a.png'),
};
