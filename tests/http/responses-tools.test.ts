/** Tools of /v1/responses as agents send them: namespaces, custom tools, hosted tools, choices. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  agentTools,
  applyPatch,
  command,
  github,
  parameters,
  search,
} from '../support/agent-tools.ts';
import { responsesOf, user, type Json } from '../support/responses.ts';
import { modelAt, openUpstreams, upstreamKinds, type Upstreams } from '../support/wire-examples.ts';
import { sharedWorld, type Chatter } from '../support/world.ts';

const patch = '*** Begin Patch\n*** Add File: "a".txt\n+é\n*** End Patch';
/** The first request of Codex, as its source builds it. */
const codex = {
  instructions: 'You are a coding agent.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'sandbox: off' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'The weather?' }] },
  ],
  tools: agentTools,
  tool_choice: 'auto',
  // As for each model that Codex does not know.
  parallel_tool_calls: false,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '019a-thread',
  text: { verbosity: 'low' },
  client_metadata: { 'x-codex-installation-id': 'a' },
};

describe("Codex's first request", () => {
  let upstreams: Upstreams;
  beforeAll(async () => {
    upstreams = await openUpstreams('sqlite');
  });
  afterAll(() => upstreams[Symbol.asyncDispose]());

  for (const kind of upstreamKinds) {
    test(`is answered by a model of kind ${kind}`, async () => {
      const { token } = await upstreams.gateway.addUser({ credit: 100 });
      const response = await upstreams.gateway.fetch('/v1/responses', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...codex, model: modelAt(kind) }),
      });
      const text = await response.text();
      expect([response.status, text]).toEqual([200, text]);
      expect(text).toContain('event: response.completed');
      const sent = upstreams.calls.at(-1)?.text ?? '';
      for (const name of ['exec_command', 'apply_patch', 'mcp__github__search', 'tool_search']) {
        expect(sent).toContain(`"${name}"`);
      }
      expect(sent).not.toContain('web_search');
    });
  }
});

describe('tools', () => {
  const world = sharedWorld('sqlite');
  const { create, created, sent, send } = responsesOf(world);
  const offered = () =>
    (world().provider.calls.at(-1)?.body['tools'] as { function: Json }[] | undefined)?.map(
      (one) => one.function,
    );
  const calling = (...calls: { id: string; name: string; arguments: string }[]) =>
    world().provider.script({ toolCalls: calls });
  const streamed = async ({ token }: Chatter, body: Json) => {
    const response = await world().gateway.fetch('/v1/responses', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'scripted-text', stream: true, ...body }),
    });
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
    return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Json);
  };

  const calls = [
    { id: 'c1', name: 'exec_command', arguments: '{"cmd":"ls"}' },
    { id: 'c2', name: 'apply_patch', arguments: JSON.stringify({ input: patch }) },
    { id: 'c3', name: 'mcp__github__search', arguments: '{"cmd":"x"}' },
    { id: 'c4', name: 'tool_search', arguments: '{"cmd":"y"}' },
  ];
  const seen = [
    { type: 'function_call', call_id: 'c1', name: 'exec_command', arguments: '{"cmd":"ls"}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: patch },
    { type: 'function_call', call_id: 'c3', name: 'search', namespace: 'mcp__github' },
    { type: 'tool_search_call', call_id: 'c4', execution: 'client', arguments: { cmd: 'y' } },
  ];

  test('reach the model as functions, and its calls are returned in their own form', async () => {
    const alice = await world().user();
    await calling(...calls);
    const answer = await created(alice, { ...codex, stream: false, store: true });
    await world().provider.script('good');
    expect(offered()).toMatchObject([
      { name: 'exec_command', parameters },
      {
        name: 'apply_patch',
        description: expect.stringContaining('start: begin_patch hunk+ end_patch'),
        parameters: { required: ['input'] },
      },
      { name: 'mcp__github__search', parameters },
      { name: 'tool_search', parameters },
    ]);
    expect(answer.output).toMatchObject(seen);
    expect(answer['tools']).toMatchObject([command, applyPatch, github, search, {}]);
    expect(answer['warnings']).toContain(
      'not offered to the model, since the gateway does not run it: web_search',
    );
    const read = await send(alice, 'GET', `/${answer.id}`);
    expect(read.body.output).toEqual(answer.output);
  });

  test('are also returned in a stream', async () => {
    const alice = await world().user();
    await calling(...calls);
    const events = await streamed(alice, codex);
    await world().provider.script('good');
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toMatchObject(seen);
    const added = events.filter(({ type }) => type === 'response.output_item.added');
    expect(added.map(({ item }) => (item as Json)['id'])).toEqual(
      done.map(({ item }) => (item as Json)['id']),
    );
    const input = events.filter(({ type }) => String(type).includes('custom_tool_call_input'));
    expect(input).toMatchObject([{ delta: patch }, { input: patch }]);
    const args = events.filter(({ type }) => type === 'response.function_call_arguments.done');
    expect(args).toMatchObject([{ arguments: '{"cmd":"ls"}' }, { arguments: '{"cmd":"x"}' }]);
  });

  test('named like a property of every object are functions like others', async () => {
    const alice = await world().user();
    const call = { id: 'c1', name: 'constructor', arguments: '{}' };
    const request = { input: 'Hi', tools: [{ type: 'function', name: 'constructor' }] };
    const item = { type: 'function_call', call_id: 'c1', name: 'constructor', arguments: '{}' };
    await calling(call);
    const { output } = await created(alice, request);
    const events = await streamed(alice, request);
    await world().provider.script('good');
    expect(output).toMatchObject([item]);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done).toMatchObject([{ item }]);
    const pieces = events.filter(({ type }) => type === 'response.function_call_arguments.done');
    expect(pieces).toHaveLength(1);
  });

  test('a call that a model wrote in the wrong form keeps its text', async () => {
    const alice = await world().user();
    await calling({ id: 'c1', name: 'apply_patch', arguments: patch });
    const { output } = await created(alice, { input: 'Hi', tools: [applyPatch] });
    await world().provider.script('good');
    expect(output).toMatchObject([{ type: 'custom_tool_call', input: patch }]);
  });

  test('calls and results of the conversation reach the model as those of functions', async () => {
    const alice = await world().user();
    const output = (type: string, call_id: string, text: unknown) => ({
      type,
      call_id,
      output: text,
    });
    await created(alice, {
      tools: codex.tools,
      input: [
        user('Go'),
        { type: 'reasoning', summary: [], encrypted_content: 'x' },
        ...seen.map((item) => ({ arguments: '{"cmd":"x"}', ...item })),
        output('function_call_output', 'c1', 'a.txt'),
        output('custom_tool_call_output', 'c2', [{ type: 'input_text', text: 'Done' }]),
        output('function_call_output', 'c3', '[]'),
        {
          type: 'tool_search_output',
          call_id: 'c4',
          execution: 'client',
          tools: [{ ...command, name: 'found' }],
        },
      ],
    });
    expect(sent()).toMatchObject([
      user('Go'),
      {
        role: 'assistant',
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          id,
          function: { name, arguments: args },
        })),
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'c2', content: 'Done' },
      { role: 'tool', tool_call_id: 'c3', content: '[]' },
      { role: 'tool', tool_call_id: 'c4', content: 'Tools found: found' },
    ]);
    expect(offered()?.map(({ name }) => name)).toContain('found');
  });

  test('from the conversation can be called, also when it is continued', async () => {
    const alice = await world().user();
    const additional = { type: 'additional_tools', role: 'developer', tools: [applyPatch, github] };
    const first = await created(alice, { input: [additional, user('Hi')] });
    expect(sent()).toEqual([user('Hi')]);
    expect(offered()?.map(({ name }) => name)).toEqual(['apply_patch', 'mcp__github__search']);
    await calling(...calls.slice(1, 3));
    const next = await created(alice, { input: 'Go', previous_response_id: first.id });
    await world().provider.script('good');
    expect(next.output).toMatchObject(seen.slice(1, 3));
    const read = await send(alice, 'GET', `/${next.id}`);
    expect(read.body.output).toEqual(next.output);
  });

  test('with long or unusual names get others, and stay distinct', async () => {
    const alice = await world().user();
    const within = (name: string, tool: string) => ({
      type: 'namespace',
      name,
      tools: [{ type: 'function', name: tool }],
    });
    const long = 'x'.repeat(60);
    const tools = [
      within(long, 'read'),
      within(long, 'write'),
      within('a.b', 'c'),
      within('a_b', 'c'),
    ];
    await created(alice, { input: 'Hi', tools });
    const names = offered()?.map(({ name }) => String(name)) ?? [];
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[0-9A-Za-z_-]{1,64}$/);
    const twice = { input: 'Hi', tools: [within('a', 'b'), { type: 'function', name: 'a__b' }] };
    expect((await create(alice, twice)).body.error).toMatchObject({ param: 'tools' });
  });
});
