/** `tool_choice` of /v1/responses in each of its forms. */
import { describe, expect, test } from 'bun:test';
import { agentTools } from '../support/agent-tools.ts';
import { responsesOf, type Json } from '../support/responses.ts';
import { sharedWorld } from '../support/world.ts';

const world = sharedWorld('sqlite');
const { create, created } = responsesOf(world);
const offered = () =>
  (world().provider.calls.at(-1)?.body['tools'] as { function: Json }[] | undefined)?.map(
    (one) => one.function,
  );
const choice = () => world().provider.calls.at(-1)?.body['tool_choice'];

describe('the choice', () => {
  const named = (name: string) => ({ type: 'function', function: { name } });
  const cases: [string, unknown, { names: number; choice: unknown }][] = [
    ['auto', 'auto', { names: 4, choice: 'auto' }],
    ['none', 'none', { names: 4, choice: 'none' }],
    ['a call', 'required', { names: 4, choice: 'required' }],
    [
      'a function',
      { type: 'function', name: 'exec_command' },
      { names: 4, choice: named('exec_command') },
    ],
    [
      'a custom tool',
      { type: 'custom', name: 'apply_patch' },
      { names: 4, choice: named('apply_patch') },
    ],
    [
      'a tool in a namespace',
      { type: 'function', name: 'search', namespace: 'mcp__github' },
      { names: 4, choice: named('mcp__github__search') },
    ],
    [
      'some tools',
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [{ type: 'custom', name: 'apply_patch' }],
      },
      { names: 1, choice: 'required' },
    ],
    [
      'some tools of which one is hosted',
      {
        type: 'allowed_tools',
        tools: [{ type: 'web_search' }, { type: 'function', name: 'exec_command' }],
      },
      { names: 1, choice: 'auto' },
    ],
  ];
  for (const [what, tool_choice, expected] of cases) {
    test(`of ${what} is passed on`, async () => {
      const alice = await world().user();
      const answer = await created(alice, { input: 'Hi', tools: agentTools, tool_choice });
      expect({ names: offered()?.length ?? 0, choice: choice() }).toEqual(expected);
      expect(answer).toMatchObject({ tool_choice });
    });
  }

  test('of a hosted tool, or of a tool that was not offered, is refused by name', async () => {
    const alice = await world().user();
    const tools = agentTools;
    const hosted = { type: 'web_search' };
    const refused: [string, Json][] = [
      ['web_search', { tools, tool_choice: hosted }],
      ['no tools', { tools: [hosted], tool_choice: 'required' }],
      [
        'no tools',
        { tools, tool_choice: { type: 'allowed_tools', mode: 'required', tools: [hosted] } },
      ],
      ['function none', { tools, tool_choice: { type: 'function', name: 'none' } }],
    ];
    for (const [word, body] of refused) {
      const { status, body: answer } = await create(alice, { input: 'Hi', ...body });
      expect([status, answer.error?.['param']]).toEqual([400, 'tool_choice']);
      expect(String(answer.error?.['message'])).toContain(word);
    }
  });

  test('of hosted tools alone is left to the model, which gets no tools', async () => {
    const alice = await world().user();
    const answer = await created(alice, { input: 'Hi', tools: [{ type: 'image_generation' }] });
    expect(offered()).toBeUndefined();
    expect(answer['warnings']).toEqual([expect.stringContaining('image_generation')]);
  });
});
