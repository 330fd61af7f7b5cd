/** Images and files, in messages and in the results of tools, reach every provider that can take them. */
import { describe, expect, test } from 'bun:test';
import {
  bodyOf,
  frontNames,
  upstreamNames,
  upstreams,
  type Front,
  type Upstream,
} from '../support/upstreams.ts';
import { expectBooksHold } from '../support/world.ts';

type Json = Record<string, unknown>;

const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjQK';
const image = `data:image/png;base64,${PNG}`;
const pdf = `data:application/pdf;base64,${PDF}`;
const note = `data:text/markdown;base64,${Buffer.from('# Notes').toString('base64')}`;

/** Parts of messages in the form of each interface. */
const parts: Record<Front, { text: (text: string) => Json; image: Json; pdf: Json; note: Json }> = {
  chat: {
    text: (text) => ({ type: 'text', text }),
    image: { type: 'image_url', image_url: { url: image, detail: 'original' } },
    pdf: { type: 'file', file: { file_data: pdf, filename: 'a.pdf' } },
    note: { type: 'file', file: { file_data: note, filename: 'notes.md' } },
  },
  responses: {
    text: (text) => ({ type: 'input_text', text }),
    image: { type: 'input_image', image_url: image, detail: 'original' },
    pdf: { type: 'input_file', file_data: pdf, filename: 'a.pdf' },
    note: { type: 'input_file', file_data: note, filename: 'notes.md' },
  },
  messages: {
    text: (text) => ({ type: 'text', text }),
    image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    pdf: {
      type: 'document',
      title: 'a.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: PDF },
    },
    note: {
      type: 'document',
      title: 'notes.md',
      source: { type: 'text', media_type: 'text/plain', data: '# Notes' },
    },
  },
};

const schema = { type: 'object', properties: {} };
const tools: Record<Front, Json[]> = {
  chat: [{ type: 'function', function: { name: 'look', parameters: schema } }],
  responses: [{ type: 'function', name: 'look', parameters: schema }],
  messages: [{ name: 'look', input_schema: schema }],
};

/** A session: a file is read, a screenshot is taken, and the next question follows. */
function session(front: Front): Json {
  const { text, image: shot } = parts[front];
  const tool = { tools: tools[front] };
  if (front === 'responses') {
    const call = (call_id: string) => ({
      type: 'function_call',
      call_id,
      name: 'look',
      arguments: '{}',
    });
    const result = (call_id: string, output: unknown) => ({
      type: 'function_call_output',
      call_id,
      output,
    });
    const input = [
      { role: 'user', content: 'Read, then look.' },
      call('call_1'),
      result('call_1', 'the file'),
      call('call_2'),
      result('call_2', [text('taken'), shot]),
      { role: 'user', content: 'What is on it?' },
    ];
    return { ...tool, input };
  }
  if (front === 'chat') {
    const call = (id: string) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
    });
    const messages = [
      { role: 'user', content: 'Read, then look.' },
      call('call_1'),
      { role: 'tool', tool_call_id: 'call_1', content: 'the file' },
      call('call_2'),
      { role: 'tool', tool_call_id: 'call_2', content: [text('taken'), shot] },
      { role: 'user', content: 'What is on it?' },
    ];
    return { ...tool, messages };
  }
  const call = (id: string) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'look', input: {} }],
  });
  const result = (tool_use_id: string, content: unknown) => ({
    type: 'tool_result',
    tool_use_id,
    content,
  });
  const messages = [
    { role: 'user', content: 'Read, then look.' },
    call('call_1'),
    { role: 'user', content: [result('call_1', 'the file')] },
    call('call_2'),
    { role: 'user', content: [result('call_2', [text('taken'), shot]), text('What is on it?')] },
  ];
  return { ...tool, messages };
}

/** The messages that the provider gets after the second call. */
const chatTail = (detail: unknown) => [
  { role: 'tool', tool_call_id: 'call_2', content: 'taken\n[1 attachment is in the next message]' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'From the result of the tool call call_2:' },
      { type: 'image_url', image_url: { url: image, ...(detail !== undefined && { detail }) } },
      { type: 'text', text: 'What is on it?' },
    ],
  },
];
const inline = { inlineData: { mimeType: 'image/png', data: PNG } };
function tailOf(up: Upstream, body: Json, isDetailed: boolean) {
  switch (up) {
    case 'openai':
    case 'ollama':
      // The scripted server is not one of OpenAI's own.
      return [(body['messages'] as Json[]).slice(-2), chatTail(isDetailed ? 'high' : undefined)];
    case 'anthropic': {
      const source = { type: 'base64', media_type: 'image/png', data: PNG };
      const content = [
        { type: 'text', text: 'taken' },
        { type: 'image', source },
      ];
      const blocks = [
        { type: 'tool_result', tool_use_id: 'call_2', content },
        { type: 'text', text: 'What is on it?' },
      ];
      return [(body['messages'] as Json[]).slice(-1), [{ role: 'user', content: blocks }]];
    }
    case 'gemini': {
      const functionResponse = { name: 'look', response: { output: 'taken' }, parts: [inline] };
      const last = { role: 'user', parts: [{ functionResponse }, { text: 'What is on it?' }] };
      return [(body['contents'] as Json[]).slice(-1), [last]];
    }
  }
}

const pairs = frontNames.flatMap((front) =>
  upstreamNames.map((up): [Front, Upstream] => [front, up]),
);
const at = upstreams('sqlite', [
  { id: 311, provider: 'openai', model: 'blind', model_alias: 'blind', is_image_input_allowed: 0 },
]);

describe('a session with a screenshot in the result of a tool', () => {
  test.each(pairs)('/v1 %s before %s continues', async (front, up) => {
    for (const stream of [false, true]) {
      const { status, text } = await at().post(front, up, { ...session(front), stream });
      expect([status, text]).toEqual([200, text]);
      const [sent, expected] = tailOf(up, at().received.at(-1) ?? {}, front !== 'messages');
      expect(sent).toEqual(expected as Json[]);
    }
    await expectBooksHold(at().world.gateway);
  });
});

describe('a file', () => {
  const bodyWith = (front: Front, ...content: Json[]) => {
    const message = { role: 'user', content: [parts[front].text('Read:'), ...content] };
    return front === 'responses' ? { input: [message] } : { messages: [message] };
  };

  test.each(pairs)(
    '/v1 %s before %s: with text is read as text by every model',
    async (front, up) => {
      const { status, text } = await at().post(front, up, bodyWith(front, parts[front].note));
      expect([status, text]).toEqual([200, text]);
      const sent = JSON.stringify(at().received.at(-1));
      expect([sent.includes('notes.md'), sent.includes('# Notes')]).toEqual([true, true]);
    },
  );

  test.each(frontNames)('/v1 %s: of PDF reaches Claude and Gemini', async (front) => {
    await at().post(front, 'anthropic', bodyWith(front, parts[front].pdf));
    const source = { type: 'base64', media_type: 'application/pdf', data: PDF };
    expect(at().received.at(-1)).toMatchObject({
      messages: [{ content: [{ type: 'text' }, { type: 'document', source, title: 'a.pdf' }] }],
    });
    await at().post(front, 'gemini', bodyWith(front, parts[front].pdf));
    const inlineData = { mimeType: 'application/pdf', data: PDF };
    expect(at().received.at(-1)).toMatchObject({
      contents: [{ parts: [{ text: 'Read:' }, { inlineData }] }],
    });
  });

  test.each(frontNames)(
    '/v1 %s: that no model of the provider takes is refused before anything is held',
    async (front) => {
      const before = (
        await at().user.history({ include_failed: true, room_id: await roomOfCalls() })
      ).length;
      for (const [model, part, what] of [
        ['llama', parts[front].pdf, 'files other than texts'],
        ['blind', parts[front].image, 'images'],
        ['sandbox/sandbox-text', parts[front].image, 'images'],
      ] as const) {
        const { status, body } = await at().post(front, { model }, bodyWith(front, part));
        const { message } = body['error'] as { message: string };
        expect([status, message.includes(`this model takes no ${what}`)]).toEqual([400, true]);
      }
      expect(at().received).toEqual([]);
      const after = await at().user.history({ include_failed: true, room_id: await roomOfCalls() });
      expect(after).toHaveLength(before);
    },
  );

  test('without bytes and address, or kept at OpenAI, is refused by name', async () => {
    const bare = { type: 'input_file', filename: 'a.pdf' };
    const kept = { type: 'file', file: { file_id: 'file-1' } };
    const first = await at().post('responses', 'openai', bodyWith('responses', bare));
    const second = await at().post('chat', 'openai', bodyWith('chat', kept));
    expect([first.status, first.text.includes('file_data or file_url')]).toEqual([400, true]);
    expect([second.status, second.text.includes('file.file_data')]).toEqual([400, true]);
  });

  const roomOfCalls = () => at().world.gateway.core.rooms.apiRoom(at().user.userId);
});

describe('an image by its address', () => {
  const url = 'https://127.0.0.1/secret.png';
  const bodies: Record<Front, Json> = {
    chat: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
    responses: { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
    messages: {
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    },
  };

  test.each(frontNames)('/v1 %s: is passed on to a provider that fetches it', async (front) => {
    for (const up of ['openai', 'anthropic'] as const) {
      expect((await at().post(front, up, bodies[front])).status).toBe(200);
      expect(JSON.stringify(at().received.at(-1))).toContain(url);
    }
  });

  test.each(frontNames)(
    '/v1 %s: is fetched for other providers, but never from a private address',
    async (front) => {
      for (const up of ['gemini', 'ollama'] as const) {
        const { status, text } = await at().post(front, up, bodies[front]);
        expect([status, text.includes('its address is not public https')]).toEqual([400, true]);
      }
      expect(at().received).toEqual([]);
      expect(await at().user.funds()).toMatchObject({ held: 0 });
    },
  );
});

test('passed-on attachments count in the hold: the model’s whole input', async () => {
  const { user, world } = at();
  const poor = await world.user({ credit: 5 });
  const headers = { authorization: `Bearer ${poor.token}` };
  const plain = await at().post('chat', 'openai', { ...bodyOf('chat'), max_tokens: 10 }, headers);
  const tool = { role: 'tool', tool_call_id: 'call_1', content: [parts.chat.image] };
  const seen = await at().post('chat', 'openai', { messages: [tool], max_tokens: 10 }, headers);
  expect([plain.status, seen.status, user.userId !== poor.userId]).toEqual([200, 402, true]);
});
