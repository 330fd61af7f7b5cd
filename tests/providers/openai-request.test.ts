import { describe, expect, test } from 'bun:test';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { imageBody } from '../../src/providers/openai/image.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { UnsupportedError, type Message, type TextRequest } from '../../src/providers/index.ts';
import { after, textRequest } from './fixtures.ts';

const openAi = traitsOf('https://api.openai.com/v1');
const compatible = traitsOf('http://127.0.0.1:8000/v1');
const mistral = traitsOf('https://api.mistral.ai/v1');

/** The body as it goes over the wire. */
function wireOf(request: TextRequest, traits = compatible): Record<string, unknown> {
  return JSON.parse(JSON.stringify(chatBody(request, traits, false).body));
}

describe('the body of a chat completion', () => {
  test('has the messages in order', () => {
    const earlier: Message[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'q1' },
      { role: 'assistant', content: 'a1' },
    ];
    expect(wireOf(after(earlier))).toEqual({
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'q1' },
        { role: 'assistant', content: 'a1' },
        { role: 'user', content: 'Hello there' },
      ],
      max_tokens: 100,
    });
  });

  test('omits absent fields', () => {
    expect(Object.keys(wireOf(textRequest))).toEqual(['model', 'messages', 'max_tokens']);
    expect(wireOf({ ...textRequest, stop: [], tools: [], toolChoice: 'auto' })).toEqual(
      wireOf(textRequest),
    );
    expect(chatBody(textRequest, compatible, false).warnings).toEqual([]);
  });

  test('has every setting under its name in the dialect', () => {
    const wire = wireOf({
      ...textRequest,
      temperature: 0,
      topP: 0.5,
      seed: 7,
      stop: ['\n'],
      frequencyPenalty: -1,
      presencePenalty: 1,
      reasoningEffort: 'low',
      user: 'u-1',
      tools: [{ name: 'f', description: 'does', parameters: { type: 'object' }, strict: true }],
      toolChoice: { name: 'f' },
      parallelToolCalls: false,
      responseFormat: { type: 'json_schema', name: 's', schema: { type: 'object' }, strict: true },
    });
    expect(wire).toEqual({
      ...wireOf(textRequest),
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      stop: ['\n'],
      frequency_penalty: -1,
      presence_penalty: 1,
      reasoning_effort: 'low',
      user: 'u-1',
      tools: [
        {
          type: 'function',
          function: {
            name: 'f',
            description: 'does',
            parameters: { type: 'object' },
            strict: true,
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', schema: { type: 'object' }, strict: true },
      },
    });
    const json = wireOf({ ...textRequest, responseFormat: { type: 'json_object' } });
    expect(json['response_format']).toEqual({ type: 'json_object' });
  });

  test('carries tool calls, their results and images', () => {
    const call = { id: 'call_1', name: 'f', arguments: '{"x":1}' };
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?' },
          { type: 'image', url: 'https://example.com/a.png' },
          { type: 'image', url: 'data:image/png;base64,AAAA', detail: 'low' },
        ],
      },
      { role: 'assistant', content: null, toolCalls: [call] },
      { role: 'tool', toolCallId: 'call_1', content: '42' },
    ];
    expect(wireOf({ ...textRequest, messages })['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '42' },
    ]);
  });

  test('uses the role developer only if the server supports it', () => {
    const request = after([{ role: 'developer', content: 'Be brief.' }]);
    expect(wireOf(request, openAi)).toMatchObject({ messages: [{ role: 'developer' }, {}] });
    expect(wireOf(request)).toMatchObject({ messages: [{ role: 'system' }, {}] });
  });

  test('requests the usage of a stream', () => {
    const { body } = chatBody(textRequest, openAi, true);
    expect(body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 100,
    });
    expect(body.max_tokens).toBeUndefined();
  });

  test('passes on a whole seed and warns of any other', () => {
    const whole = chatBody({ ...textRequest, seed: 7 }, compatible, false);
    expect(whole.body.seed).toBe(7);
    expect(whole.seed).toBe(7);
    const broken = chatBody({ ...textRequest, seed: 0.5 }, compatible, false);
    expect(broken.body.seed).toBeUndefined();
    expect(broken.seed).toBeNull();
    expect(broken.warnings[0]).toContain('seed 0.5 is not supported');
    const strict = { ...textRequest, seed: 0.5, refuseUnsupported: true };
    expect(() => chatBody(strict, compatible, false)).toThrow(UnsupportedError);
  });
});

test('OpenAI and xAI are not sent default values: their reasoning models refuse them', () => {
  const neutral = { ...textRequest, topP: 1, frequencyPenalty: 0, presencePenalty: 0 };
  const unusual = { ...textRequest, topP: 0.5, frequencyPenalty: 1, presencePenalty: 1 };
  const wire = { top_p: 0.5, frequency_penalty: 1, presence_penalty: 1 };
  const xAi = ['https://api.x.ai/v1', 'https://us.api.x.ai/v1'].map((url) => traitsOf(url));
  for (const traits of [openAi, ...xAi]) {
    expect(wireOf(neutral, traits)).toEqual(wireOf(textRequest, traits));
    expect(wireOf(unusual, traits)).toEqual({ ...wireOf(textRequest, traits), ...wire });
  }
});

describe("tools for OpenAI's models that reason only without tools", () => {
  const effortOf = (model: string, more: Partial<TextRequest>, traits = openAi) => {
    const request = { ...textRequest, model, tools: [{ name: 'f' }], ...more };
    const { body, warnings } = chatBody(request, traits, false);
    return { effort: body.reasoning_effort, warnings };
  };
  const usageOf = [expect.stringContaining('The call used none.')];

  test('are sent with the effort none, and a warning', () => {
    for (const model of ['gpt-5.5', 'gpt-5.6-terra', 'gpt-5.10', 'gpt-6-luna']) {
      expect(effortOf(model, {})).toEqual({ effort: 'none', warnings: usageOf });
    }
  });

  test('replace another effort, with a warning', () => {
    const request = { reasoningEffort: 'low', refuseUnsupported: true };
    expect(effortOf('gpt-5.4-mini', request)).toEqual({ effort: 'none', warnings: usageOf });
    expect(effortOf('gpt-5.5', request)).toEqual({ effort: 'none', warnings: usageOf });
  });

  test('change nothing for other models', () => {
    const nothing = { effort: undefined, warnings: [] };
    // The model does not reason unless the request says so.
    expect(effortOf('gpt-5.4-mini', {})).toEqual(nothing);
    expect(effortOf('gpt-5.5-chat-latest', {})).toEqual(nothing);
    expect(effortOf('gpt-5.5', { tools: [] })).toEqual(nothing);
    expect(effortOf('gpt-5.5', {}, compatible)).toEqual(nothing);
    const low = { effort: 'low', warnings: [] };
    expect(effortOf('gpt-5.1', { reasoningEffort: 'low' })).toEqual(low);
    expect(effortOf('gpt-5.5', { tools: [], reasoningEffort: 'low' })).toEqual(low);
    const none = { effort: 'none', warnings: [] };
    expect(effortOf('gpt-5.5', { reasoningEffort: 'none' })).toEqual(none);
  });
});

test('only DeepSeek, Kimi and GLM get the reasoning that a client sends back', () => {
  const request = after([
    { role: 'user', content: 'q1' },
    { role: 'assistant', content: 'a1', reasoning: [{ text: 'It is a question.' }] },
    { role: 'assistant', content: 'a2', reasoning: [] },
  ]);
  const deepSeek = traitsOf('https://api.deepseek.com/v1');
  expect(wireOf(request, deepSeek)['messages']).toMatchObject([
    {},
    { role: 'assistant', content: 'a1', reasoning_content: 'It is a question.' },
    { role: 'assistant', content: 'a2', reasoning_content: ' ' },
    {},
  ]);
  // GLM accepts requests without them.
  for (const url of ['https://api.z.ai/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4']) {
    const { messages } = wireOf(request, traitsOf(url)) as { messages: object[] };
    expect(messages[1]).toMatchObject({ reasoning_content: 'It is a question.' });
    expect(messages[2]).not.toContainKey('reasoning_content');
  }
  expect(JSON.stringify(wireOf(request))).not.toContain('question.');
});

test('a Kimi model with fixed sampling gets no settings, and values other than the usual ones are refused', () => {
  const kimi = traitsOf('https://api.moonshot.ai/v1');
  const usual = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0 };
  const fields = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'];
  for (const model of ['kimi-k2.5', 'kimi-k2.7-code', 'kimi-k3', 'kimi-k3.1-pro']) {
    const { body, warnings } = chatBody({ ...textRequest, ...usual, model }, kimi, false);
    expect(JSON.parse(JSON.stringify(body))).not.toContainAnyKeys(fields);
    expect(warnings).toEqual([]);
    const cool = chatBody({ ...textRequest, model, temperature: 0.2 }, kimi, false);
    expect(cool.body['temperature']).toBeUndefined();
    expect(cool.warnings).toEqual(['The temperature of this model is fixed. It was left out.']);
    const strict = { ...textRequest, model, topP: 0.5, refuseUnsupported: true };
    expect(() => chatBody(strict, kimi, false)).toThrow('The top_p of this model is fixed.');
  }
  const older = { ...textRequest, ...usual, model: 'moonshot-v1-8k' };
  expect(wireOf(older, kimi)).toMatchObject({ temperature: 1, top_p: 1 });
});

test('DeepSeek and Kimi get a placeholder for missing reasoning, without which they refuse the call', () => {
  const call = { id: 'call_1', name: 'f', arguments: '{}' };
  const request = after([
    { role: 'user', content: 'q1' },
    { role: 'assistant', content: null, toolCalls: [call] },
    { role: 'tool', toolCallId: 'call_1', content: '42' },
    { role: 'assistant', content: 'a1' },
  ]);
  for (const host of ['api.deepseek.com', 'api.moonshot.ai', 'api.moonshot.cn']) {
    const { messages } = wireOf(request, traitsOf(`https://${host}/v1`));
    expect(messages).toMatchObject([
      {},
      { role: 'assistant', content: null, reasoning_content: ' ', tool_calls: [{ id: 'call_1' }] },
      {},
      { role: 'assistant', content: 'a1', reasoning_content: ' ' },
      {},
    ]);
  }
  expect(JSON.stringify(wireOf(request))).not.toContain('reasoning_content');
});

test('Mistral, which refuses unknown fields, gets only its own', () => {
  const request = { ...textRequest, seed: 7, user: 'u-1' };
  const { body, seed } = chatBody(request, mistral, true);
  // Its streams report usage without a request.
  expect(JSON.parse(JSON.stringify(body))).toEqual({
    ...wireOf(textRequest),
    random_seed: 7,
    stream: true,
  });
  expect(seed).toBe(7);
  for (const host of ['codestral.mistral.ai', 'api.eu.mistral.ai']) {
    expect(traitsOf(`https://${host}/v1`)).toEqual(mistral);
  }
  expect(traitsOf('https://notmistral.ai/v1')).not.toEqual(mistral);
});

test("only OpenAI's servers, and proxies of them, get the new name of the token limit", () => {
  const fieldAt = (baseUrl: string) => traitsOf(baseUrl).tokenLimitField;
  for (const baseUrl of [
    'https://api.openai.com/v1',
    'https://eu.api.openai.com/v1',
    'https://my-resource.openai.azure.com/openai/v1/',
    'https://my-resource.cognitiveservices.azure.com/openai/v1/',
    'https://my-resource.services.ai.azure.com/openai/v1/',
    'https://api.proxyapi.ru/openai/v1',
  ]) {
    expect([baseUrl, fieldAt(baseUrl)]).toEqual([baseUrl, 'max_completion_tokens']);
  }
  for (const baseUrl of [
    'http://localhost:11434/v1',
    'https://api.openai.com.example.org/v1',
    'https://example.org/?https://api.openai.com/v1',
    'https://api.proxyapi.ru/openrouter/v1',
    'https://openai.api.proxyapi.ru/v1',
    'https://openai.azure.com.example.org/v1',
    'https://my-resource.services.ai.azure.com/models',
  ]) {
    expect([baseUrl, fieldAt(baseUrl)]).toEqual([baseUrl, 'max_tokens']);
  }
});

describe('the body of an image generation', () => {
  const request = { model: 'dall-e-3', prompt: 'a cat' };

  test('requests base64, except from models that refuse the field', () => {
    expect(imageBody(request).body).toEqual({
      model: 'dall-e-3',
      prompt: 'a cat',
      n: 1,
      response_format: 'b64_json',
    });
    expect(imageBody({ ...request, size: '1024x1024', quality: 'hd' }).body).toMatchObject({
      size: '1024x1024',
      quality: 'hd',
    });
    expect(imageBody({ ...request, model: 'gpt-image-1' }).body.response_format).toBeUndefined();
    const mini = imageBody({ ...request, model: 'openai/GPT-Image-1-mini' });
    expect(mini.body.response_format).toBeUndefined();
  });

  test('warns that there is no seed', () => {
    expect(imageBody({ ...request, seed: 1 })).toMatchObject({
      seed: null,
      warnings: [expect.stringContaining('does not support seeds')],
    });
  });
});
