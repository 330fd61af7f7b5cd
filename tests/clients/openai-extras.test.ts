/** What the `openai` client can do besides chatting: models, images, embeddings, special fields. */
import { describe, expect, test } from 'bun:test';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany, generateImage } from 'ai';
import { BadRequestError, toFile } from 'openai';
import { wavOf } from '../support/audio.ts';
import { transcribed } from '../support/scripted-answers.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { micro } from '../support/world.ts';
import { clientWorld } from './caller.ts';
import { costIn } from './client.ts';
import { aiSdkProvider } from './kinds/ai-sdk.ts';
import { openAi } from './kinds/openai-chat.ts';

const world = clientWorld();
const embedder = 'scripted/scripted-embedder';

describe('models', () => {
  test('are listed by the names that calls accept, and shown one by one', async () => {
    const client = openAi((await world().caller()).dial);
    const listed = await Array.fromAsync(client.models.list());
    const names = listed.map(({ id }) => id);
    expect(names).toContain('mini');
    expect(names).toContain(embedder);
    const [mini] = listed.filter(({ id }) => id === 'mini');
    expect(mini).toMatchObject({
      object: 'model',
      owned_by: 'scripted',
      zastava: { id: 101, cost_input_tokens_rub: 133.333333 },
    });
    expect(await client.models.retrieve('mini')).toEqual(mini ?? expect.anything());
    for (const name of [embedder, '104', 'scripted-embedder']) {
      expect((await client.models.retrieve(name)).id).toBe(embedder);
    }
  });
});

describe('images', () => {
  test('are returned as an address or as bytes, each for one charge', async () => {
    const { gateway, caller } = world();
    const alice = await caller();
    const client = openAi(alice.dial);
    const request = { model: 'painter', prompt: 'A red dot' };
    const byUrl = await client.images.generate(request);
    const url = new URL(byUrl.data?.[0]?.url ?? '');
    const stored = await gateway.fetch(url.pathname);
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(tinyPng);
    const byBytes = await client.images.generate({ ...request, response_format: 'b64_json', n: 1 });
    expect(byBytes.data?.[0]?.b64_json).toBe(tinyPng.toString('base64'));
    const charges = await alice.charges();
    expect([byUrl, byBytes].map(({ usage }) => micro(costIn(usage) ?? 0))).toEqual(charges);
    expect((await alice.apiHistory()).map((item) => [item.request, item.state])).toEqual([
      ['A red dot', 'done'],
      ['A red dot', 'done'],
    ]);
  });

  test('are changed, one or several, with a mask or without', async () => {
    const { caller, provider } = world();
    const alice = await caller();
    const client = openAi(alice.dial);
    const png = () => toFile(tinyPng, 'gate.png', { type: 'image/png' });
    const request = {
      model: 'painter',
      prompt: 'Paint it red',
      response_format: 'b64_json',
    } as const;
    const one = await client.images.edit({ ...request, image: await png(), mask: await png() });
    expect(one.data?.[0]?.b64_json).toBe(tinyPng.toString('base64'));
    await client.images.edit({ ...request, image: [await png(), await png()], size: '1024x1024' });
    expect(provider.calls.at(-1)?.body['image[]']).toHaveLength(2);
    expect(await alice.charges()).toHaveLength(2);
  });

  test('are made through the AI SDK', async () => {
    const { dial } = await world().caller();
    const model = aiSdkProvider(dial).imageModel('painter');
    const { image } = await generateImage({ model, prompt: 'A red dot', size: '64x64' });
    expect(Buffer.from(image.uint8Array)).toEqual(tinyPng);
    expect(world().provider.calls.at(-1)?.body).toMatchObject({ size: '64x64' });
  });
});

describe('transcriptions', () => {
  const recording = async () => ({
    model: 'listener',
    file: await toFile(wavOf(6.3), 'speech.wav', { type: 'audio/wav' }),
  });

  test('are returned as JSON, as subtitles and with times', async () => {
    const alice = await world().caller();
    const { transcriptions } = openAi(alice.dial).audio;
    const { text, usage } = await transcriptions.create(await recording());
    expect([text, costIn(usage)]).toEqual([transcribed, 0.073]);
    const srt = await transcriptions.create({ ...(await recording()), response_format: 'srt' });
    expect(srt).toContain('00:00:01,500 --> 00:00:06,250');
    const verbose = await transcriptions.create({
      ...(await recording()),
      response_format: 'verbose_json',
      timestamp_granularities: ['segment'],
    });
    expect(verbose.segments?.map(({ end }) => end)).toEqual([1.5, 6.25]);
    expect(await alice.charges()).toHaveLength(3);
  });

  test('are streamed', async () => {
    const alice = await world().caller();
    const stream = await openAi(alice.dial).audio.transcriptions.create({
      ...(await recording()),
      stream: true,
    });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type)).toEqual([
      'transcript.text.delta',
      'transcript.text.done',
    ]);
  });

  test('of a file other than audio are a BadRequestError that names the file', async () => {
    const alice = await world().caller();
    const file = await toFile(Buffer.from('no audio'), 'a.wav');
    const failing = openAi(alice.dial).audio.transcriptions.create({ model: 'listener', file });
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadRequestError);
    expect((error as BadRequestError).param).toBe('file');
  });
});

describe('embeddings', () => {
  const input = ['one', 'three', 'четыре'];
  const firsts = [3, 5, 6];

  test('are returned in the order of the texts, in both encodings', async () => {
    const { provider, caller } = world();
    const alice = await caller();
    const client = openAi(alice.dial);
    // By default the client asks for base64.
    const usual = await client.embeddings.create({ model: embedder, input });
    const plain = await client.embeddings.create({
      model: embedder,
      input,
      encoding_format: 'float',
      dimensions: 4,
    });
    expect(usual.data.map(({ embedding }) => embedding)).toEqual(firsts.map((n) => [n, 0.5, 0.5]));
    expect(plain.data.map(({ embedding }) => embedding.length)).toEqual([4, 4, 4]);
    expect(provider.calls.at(-1)?.body).toMatchObject({ model: 'scripted-embedder', input });
    const item = await alice.settled();
    expect(item).toMatchObject({ request: input.join('\n'), usage_source: 'provider' });
    expect(plain.usage).toMatchObject({ prompt_tokens: Number(item.usage_prompt_tokens) });
    const [, charge] = await alice.charges();
    expect(micro(costIn(plain.usage) ?? 0)).toBe(charge ?? Number.NaN);
  });

  test('take any number of texts, each as long as the model allows', async () => {
    const alice = await world().caller();
    const client = openAi(alice.dial);
    const long = 'word '.repeat(700);
    const texts = Array.from({ length: 12 }, () => long);
    const { data } = await client.embeddings.create({ model: embedder, input: texts });
    expect(data).toHaveLength(12);
    const tooLong = client.embeddings.create({
      model: embedder,
      input: ['short', 'a b '.repeat(9000)],
    });
    expect(await tooLong.catch((error: unknown) => error)).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'input.1',
    });
  });

  test('are made through the AI SDK and LangChain', async () => {
    const { dial } = await world().caller();
    const model = aiSdkProvider(dial).embeddingModel(embedder);
    const { embeddings } = await embedMany({ model, values: input });
    expect(embeddings.map(([first]) => first)).toEqual(firsts);
    const chain = new OpenAIEmbeddings({
      model: embedder,
      apiKey: dial.key,
      configuration: { baseURL: `${dial.origin}/v1` },
    });
    expect((await chain.embedDocuments(input)).map(([first]) => first)).toEqual(firsts);
  });
});

describe('a completion', () => {
  test('passes on every field that the provider supports', async () => {
    const { provider, caller } = world();
    const client = openAi((await caller()).dial);
    const fields = {
      top_p: 0.5,
      stop: ['END'],
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      user: 'u-1',
      reasoning_effort: 'low' as const,
    };
    const { choices, ...rest } = await client.chat.completions.create({
      ...fields,
      model: '101',
      max_completion_tokens: 9,
      n: 1,
      messages: [
        { role: 'developer', content: 'Be brief' },
        { role: 'user', content: 'Hi', name: 'bob' },
      ],
    });
    expect(choices[0]?.message.content).toBe('echo: Hi');
    expect(provider.calls.at(-1)?.body).toMatchObject({ ...fields, max_tokens: 9 });
    expect(rest).toMatchObject({
      object: 'chat.completion',
      model: 'mini',
      warnings: ['messages.1.name is not sent to the model'],
    });
  });

  test('counts tools and images when the provider reports no usage', async () => {
    const { provider, caller } = world();
    const client = openAi((await caller()).dial);
    await provider.script({ usage: null });
    const tokensOf = async (more: object, parts: object[] = []): Promise<number> => {
      const content = [{ type: 'text', text: 'Hi' }, ...parts] as { type: 'text'; text: string }[];
      const messages = [{ role: 'user' as const, content }];
      const { usage } = await client.chat.completions.create({ model: 'mini', messages, ...more });
      return usage?.prompt_tokens ?? 0;
    };
    const bare = await tokensOf({});
    const description = 'the weather of a city, '.repeat(50);
    const tools = [{ type: 'function', function: { name: 'weather', description } }];
    expect((await tokensOf({ tools })) - bare).toBeGreaterThan(200);
    const url = `data:image/png;base64,${tinyPng.toString('base64')}`;
    expect((await tokensOf({}, [{ type: 'image_url', image_url: { url } }])) - bare).toBe(1_000);
    await provider.script('good');
  });

  test('gives a tool call without arguments an empty object, which can be parsed', async () => {
    const { provider, caller } = world();
    const client = openAi((await caller()).dial);
    await provider.script({ toolCalls: [{ id: 'call_a', name: 'now', arguments: '' }] });
    const seen: unknown[] = [];
    const definition = {
      name: 'now',
      description: 'the time',
      parameters: { type: 'object', properties: {} },
      parse: (text: string): unknown => JSON.parse(text),
      function: async (input: unknown) => {
        seen.push(input);
        await provider.script('good');
        return 'noon';
      },
    };
    const runner = client.chat.completions.runTools({
      model: 'mini',
      messages: [{ role: 'user', content: 'When?' }],
      stream: true,
      tools: [{ type: 'function', function: definition as never }],
    });
    expect(await runner.finalContent()).toBe('echo: noon');
    expect(seen).toEqual([{}]);
  });

  test('left in the middle of a tool call is kept and charged', async () => {
    const { provider, caller } = world();
    const alice = await caller();
    await provider.script({
      toolCalls: [{ id: 'call_a', name: 'weather', arguments: '{"city":"Ufa"}' }],
      pauseAfterFirst: true,
    });
    const stream = await openAi(alice.dial).chat.completions.create({
      model: 'mini',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    for await (const { choices } of stream) if (choices[0]?.delta.tool_calls) break;
    expect(await provider.calls.at(-1)?.ended).toBe('dropped');
    await provider.script('good');
    const item = await alice.settled();
    expect(item).toMatchObject({ state: 'stopped', usage_source: 'estimated' });
    expect(JSON.parse(item.response)).toMatchObject([{ id: 'call_a', name: 'weather' }]);
    expect(item.cost_response).toBeGreaterThan(0.002);
    expect(await alice.charges()).toHaveLength(1);
  });

  test('ends a stream with usage and no choices on request', async () => {
    const client = openAi((await world().caller()).dial);
    const request = { model: 'mini', messages: [{ role: 'user' as const, content: 'Hi' }] };
    const plain = await Array.fromAsync(
      await client.chat.completions.create({ ...request, stream: true }),
    );
    expect(plain.filter(({ usage }) => usage)).toEqual([]);
    expect(plain.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    const withUsage = await Array.fromAsync(
      await client.chat.completions.create({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    expect(withUsage.at(-1)).toMatchObject({ choices: [], usage: { cost_currency: 'RUB' } });
    expect(new Set(withUsage.map(({ id }) => id)).size).toBe(1);
  });
});
