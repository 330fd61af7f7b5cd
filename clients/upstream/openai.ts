import { bytesOf, message, textIn, type Message, type Reply, type Tool } from './turn.ts';
import { data, idOf, pieces, type Dialect, type Json } from './dialect.ts';

interface WireMessage {
  role: string;
  content?: string | Json[] | null;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

/** Chat completions of OpenAI. */
export const openAi: Dialect = {
  read: (body) => {
    const format = body['response_format'] as { json_schema?: { schema: Json } } | undefined;
    const choice = body['tool_choice'];
    return {
      messages: (body['messages'] as WireMessage[]).map(readMessage),
      tools: ((body['tools'] ?? []) as { function: Json }[]).map(readTool),
      mustCall: choice === 'required' || typeof choice === 'object',
      schema: format?.json_schema?.schema,
      streamed: body['stream'] === true,
    };
  },
  whole: (reply, model) => ({
    id: idOf('chatcmpl'),
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: answer(reply), finish_reason: finish(reply) }],
    usage,
  }),
  events: (reply, model) => {
    const about = { id: idOf('chatcmpl'), object: 'chat.completion.chunk', created: 1, model };
    const chunk = (delta: Json, reason: string | null = null) =>
      data({ ...about, choices: [{ index: 0, delta, finish_reason: reason }] });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(reply.reasoning === undefined ? [] : [chunk({ reasoning_content: reply.reasoning })]),
      ...pieces(reply).map((content) => chunk({ content })),
      ...callsOf(reply).map((call) => chunk({ tool_calls: [{ index: 0, ...call }] })),
      chunk({}, finish(reply)),
      data({ ...about, choices: [], usage }),
      'data: [DONE]\n\n',
    ];
  },
};

const usage = { prompt_tokens: 50, completion_tokens: 10, total_tokens: 60 };

function readMessage({ role, content, tool_calls: calls = [] }: WireMessage): Message {
  const known = role === 'developer' ? 'system' : (role as Message['role']);
  const read = message(known, typeof content === 'string' ? content : '');
  for (const part of Array.isArray(content) ? content : []) {
    if (part['type'] === 'text') read.text += String(part['text']);
    const url = (part['image_url'] as { url?: string } | undefined)?.url ?? '';
    const [, type, base64] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? [];
    if (type !== undefined) read.pictures.push({ type, bytes: bytesOf(base64 ?? '') });
  }
  read.calls = calls.map(({ function: { name, arguments: text } }) => ({
    name,
    arguments: JSON.parse(text || '{}') as Json,
  }));
  return read;
}

function readTool({ function: of }: { function: Json }): Tool {
  return {
    name: String(of['name']),
    description: textIn(of['description']),
    schema: (of['parameters'] ?? {}) as Json,
  };
}

function callsOf({ call }: Reply) {
  if (!call) return [];
  const { name } = call;
  const text = JSON.stringify(call.arguments);
  return [{ id: idOf('call'), type: 'function', function: { name, arguments: text } }];
}

function answer(reply: Reply): Json {
  const calls = callsOf(reply);
  return {
    role: 'assistant',
    content: reply.text ?? null,
    ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function finish({ call }: Reply): string {
  return call ? 'tool_calls' : 'stop';
}
