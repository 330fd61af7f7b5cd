/** Fields of requests under /v1: which are accepted, ignored, or refused by name. */
import { describe, expect, test } from 'bun:test';
import { sharedWorld } from '../support/world.ts';

/** A kind that supports hardly any setting. */
const SPARE = 201;
const world = sharedWorld('sqlite', {
  providers: ({ baseUrl }) => ({
    spare: { kind: 'yandex', base_url: baseUrl, api_key: 'key', options: { folder: 'b1g' } },
  }),
  models: [
    { id: 101, model_alias: 'mini' },
    { id: SPARE, provider: 'spare', model: 'yandexgpt/latest', model_alias: 'spare' },
  ],
});

const messages = [{ role: 'user', content: 'Hi' }];
const bodies = {
  chat: { path: '/v1/chat/completions', body: { model: 'mini', messages } },
  responses: { path: '/v1/responses', body: { model: 'mini', input: 'Hi' } },
  messages: { path: '/v1/messages', body: { model: 'mini', max_tokens: 50, messages } },
};

interface ErrorBody {
  status: number;
  /** The field that an error names. */
  named: string | null;
  text: string;
}

async function post(name: keyof typeof bodies, change: object): Promise<ErrorBody> {
  const { gateway, user } = world();
  const { path, body } = bodies[name];
  const response = await gateway.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${(await user()).token}`,
    },
    body: JSON.stringify({ ...body, ...change }),
  });
  const text = await response.text();
  const { error } = JSON.parse(text) as { error?: { message: string; param?: string } | null };
  const inMessage = /^([\w.]+): /.exec(error?.message ?? '')?.[1] ?? null;
  return { status: response.status, named: error?.param ?? inMessage, text };
}

const passed = async (name: keyof typeof bodies, change: object) => {
  const { status, text } = await post(name, change);
  expect([change, status, text]).toEqual([change, 200, text]);
};
const refused = async (name: keyof typeof bodies, field: string, change: object) => {
  const { status, named } = await post(name, change);
  expect([change, status, named]).toEqual([change, 400, field]);
};

describe('settings with neutral values', () => {
  test('are not refused if the provider lacks the setting; other values are', async () => {
    const neutral = { frequency_penalty: 0, presence_penalty: 0, top_p: 1 };
    await passed('chat', { model: 'spare', ...neutral });
    for (const [field, value] of Object.entries({ ...neutral, top_p: 0 })) {
      await refused('chat', field, { model: 'spare', [field]: value + 0.5 });
    }
    for (const name of ['responses', 'messages'] as const) {
      await passed(name, { model: 'spare', top_p: 1 });
      await refused(name, 'top_p', { model: 'spare', top_p: 0.5 });
    }
  });

  test('are passed on if the provider may have other defaults', async () => {
    const neutral = { frequency_penalty: 0, presence_penalty: 0, top_p: 1 };
    await passed('chat', neutral);
    expect(world().provider.calls.at(-1)?.body).toMatchObject(neutral);
  });

  test('the usual service tiers are accepted, others are refused', async () => {
    for (const name of ['chat', 'responses', 'messages'] as const) {
      for (const tier of ['auto', 'default', 'standard_only', null]) {
        await passed(name, { service_tier: tier });
      }
      await refused(name, 'service_tier', { service_tier: 'priority' });
    }
  });
});

describe('a choice of tools', () => {
  const tool = { name: 'weather' };

  test('that requires a call is refused without tools', async () => {
    for (const tools of [{}, { tools: [] }]) {
      for (const choice of ['required', { type: 'function', function: tool }]) {
        await refused('chat', 'tool_choice', { ...tools, tool_choice: choice });
      }
      for (const choice of ['required', { type: 'function', ...tool }]) {
        await refused('responses', 'tool_choice', { ...tools, tool_choice: choice });
      }
      for (const choice of [{ type: 'any' }, { type: 'tool', ...tool }]) {
        await refused('messages', 'tool_choice', { ...tools, tool_choice: choice });
      }
    }
  });

  test('among allowed tools offers the model only those', async () => {
    const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }));
    const choose = (mode: string, names: string[]) => ({
      tools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode,
          tools: names.map((name) => ({ type: 'function', function: { name } })),
        },
      },
    });
    await passed('chat', choose('required', ['time']));
    const { body } = world().provider.calls.at(-1) ?? {};
    expect(body).toMatchObject({ tool_choice: 'required', tools: [tools[1]] });
    expect(body?.['tools']).toHaveLength(1);
    await passed('chat', choose('auto', []));
    expect(world().provider.calls.at(-1)?.body['tools']).toBeUndefined();
    await refused('chat', 'tool_choice', choose('required', ['none of them']));
  });

  test('of `none` is accepted without tools', async () => {
    await passed('chat', { tool_choice: 'auto' });
    await passed('responses', { tool_choice: 'none' });
    await passed('messages', { tool_choice: { type: 'auto' } });
  });
});

describe('fields of Anthropic', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const format = { type: 'json_schema', schema };

  test('the output format is accepted under its older name, too', async () => {
    await passed('messages', { output_format: format });
    expect(world().provider.calls.at(-1)?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema } },
    });
    const unfit = { model: 'sandbox-text' };
    const both = { output_format: format, output_config: { format } };
    await refused('messages', 'output_format', { ...unfit, output_format: format });
    await refused('messages', 'output_config.format', { ...unfit, output_config: { format } });
    await passed('messages', both);
  });

  test('hints that change no answer are accepted, even if the provider has no such field', async () => {
    const cached = { cache_control: { type: 'ephemeral' } };
    await passed('messages', {
      system: [{ type: 'text', text: 'Be brief', ...cached }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...cached }] }],
      tools: [{ name: 'weather', input_schema: schema, ...cached }],
    });
    await passed('chat', { prediction: { type: 'content', content: 'Hello' } });
  });
});

describe('unsupported parts of a conversation', () => {
  const user = (...content: object[]) => ({ role: 'user', content });
  const url = 'https://a.test/b.png';

  /** Each field that is named, and the word that the error repeats. */
  const cases: [keyof typeof bodies, string, string, object][] = [
    [
      ...(['chat', 'messages.1.content.0.file.file_data', 'is required'] as const),
      { messages: [...messages, user({ type: 'file', file: {} })] },
    ],
    [
      ...(['chat', 'messages.0.content.1.image_url.detail', 'auto'] as const),
      {
        messages: [
          user(
            { type: 'text', text: 'Hi' },
            { type: 'image_url', image_url: { url, detail: 'microscopic' } },
          ),
        ],
      },
    ],
    ['chat', 'messages.0.role', 'wizard', { messages: [{ role: 'wizard', content: 'Hi' }] }],
    [
      ...(['chat', 'messages.0.content.0.type', 'image_url'] as const),
      { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url } }] }] },
    ],
    ['chat', 'messages.0.content', 'must be a text or parts', { messages: [user(7 as never)] }],
    ['messages', 'messages.0.content', 'a list of at least 1', { messages: [user()] }],
    [
      ...(['responses', 'input.1.content', 'needs file_data or file_url'] as const),
      { input: [{ role: 'user', content: 'Hi' }, user({ type: 'input_file', file_id: 'a' })] },
    ],
    ['responses', 'input.0.type', 'computer_call', { input: [{ type: 'computer_call' }] }],
    ['responses', 'input', 'must be a text, or a list', { input: ['Hi'] }],
    [
      ...(['messages', 'messages.0.content.0.content.0.type', 'search_result'] as const),
      {
        messages: [
          user({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'search_result' }] }),
        ],
      },
    ],
    [
      ...(['messages', 'messages.0.content.0.type', 'container_upload'] as const),
      { messages: [user({ type: 'container_upload' })] },
    ],
    [
      ...(['messages', 'messages.1.content.0.type', 'server_tool_use'] as const),
      {
        messages: [
          ...messages,
          { role: 'assistant', content: [{ type: 'server_tool_use' }] },
          ...messages,
        ],
      },
    ],
  ];
  for (const [name, field, word, change] of cases) {
    test(`are refused by name: ${word} at ${field} of ${name}`, async () => {
      await refused(name, field, change);
      expect((await post(name, change)).text).toContain(word);
    });
  }

  test('an item of a response without a type is a message', async () => {
    await passed('responses', { input: [{ role: 'user', content: 'Hi' }] });
    await passed('responses', { input: [{ type: 'message', role: 'user', content: 'Hi' }] });
  });
});

test('an error that concerns no field of the request names no field', async () => {
  const { gateway, user } = world();
  const poor = await user({ credit: 0 });
  const response = await gateway.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${poor.token}` },
    body: JSON.stringify(bodies.chat.body),
  });
  expect([response.status, await response.json()]).toMatchObject([
    402,
    { error: { param: null, needed: expect.any(Number) } },
  ]);
});
