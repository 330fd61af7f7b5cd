import { idOf, named, pieces, type Dialect, type Json } from './dialect.ts';
import { bytesOf, message, textIn, type Message, type Reply } from './turn.ts';

/** Messages of Anthropic. */
export const anthropic: Dialect = {
  read: (body) => {
    const config = (body['output_config'] ?? {}) as { format?: { schema?: Json } };
    const old = body['output_format'] as { schema?: Json } | undefined;
    const choice = body['tool_choice'] as { type?: string } | undefined;
    return {
      messages: [
        message('system', textOf(body['system'])),
        ...(body['messages'] as { role: string; content: unknown }[]).flatMap(readMessage),
      ],
      tools: ((body['tools'] ?? []) as Json[]).map((tool) => ({
        name: String(tool['name']),
        description: textIn(tool['description']),
        schema: (tool['input_schema'] ?? {}) as Json,
      })),
      mustCall: choice?.type === 'any' || choice?.type === 'tool',
      schema: config.format?.schema ?? old?.schema,
      streamed: body['stream'] === true,
    };
  },
  whole: (reply, model) => ({
    ...head(model),
    content: blocksOf(reply),
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: { input_tokens: 50, output_tokens: 10 },
  }),
  events: (reply, model) => [
    named({
      type: 'message_start',
      message: {
        ...head(model),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 50, output_tokens: 1 },
      },
    }),
    ...blocksOf(reply).flatMap((block, index) => blockEvents(block, index, reply)),
    named({
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: 10 },
    }),
    named({ type: 'message_stop' }),
  ],
};

const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBzY3JpcHQ=';

function head(model: string): Json {
  return { id: idOf('msg'), type: 'message', role: 'assistant', model };
}

function blocksOf({ reasoning, text, call }: Reply): Json[] {
  return [
    ...(reasoning === undefined
      ? []
      : [{ type: 'thinking', thinking: reasoning, signature: SIGNATURE }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(call
      ? [{ type: 'tool_use', id: idOf('toolu'), name: call.name, input: call.arguments }]
      : []),
  ];
}

function stopReason({ call }: Reply): string {
  return call ? 'tool_use' : 'end_turn';
}

function blockEvents(block: Json, index: number, reply: Reply): string[] {
  const delta = (value: Json) => named({ type: 'content_block_delta', index, delta: value });
  const start = (value: Json) =>
    named({ type: 'content_block_start', index, content_block: { ...block, ...value } });
  const stop = named({ type: 'content_block_stop', index });
  if (block['type'] === 'text') {
    const texts = pieces(reply).map((text) => delta({ type: 'text_delta', text }));
    return [start({ text: '' }), ...texts, stop];
  }
  if (block['type'] === 'thinking') {
    return [
      start({ thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: block['thinking'] }),
      delta({ type: 'signature_delta', signature: SIGNATURE }),
      stop,
    ];
  }
  const partial = JSON.stringify(block['input']);
  return [start({ input: {} }), delta({ type: 'input_json_delta', partial_json: partial }), stop];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return ((content ?? []) as Json[]).map(({ text }) => textIn(text)).join('\n');
}

/** Results of tools become messages of their own, as in the other dialects. */
function readMessage({ role, content }: { role: string; content: unknown }): Message[] {
  if (typeof content === 'string') return [message(role as Message['role'], content)];
  const own = message(role as Message['role']);
  const results: Message[] = [];
  for (const block of content as Json[]) {
    if (block['type'] === 'tool_result') {
      const result = message('tool');
      const inner = block['content'];
      const parts = typeof inner === 'string' ? [{ type: 'text', text: inner }] : (inner as Json[]);
      for (const part of parts ?? []) readPart(part, result);
      results.push(result);
    } else readPart(block, own);
  }
  const isEmpty = own.text === '' && own.pictures.length === 0 && own.calls.length === 0;
  return isEmpty ? results : [...results, own];
}

function readPart(part: Json, into: Message): void {
  if (part['type'] === 'text') into.text += String(part['text']);
  if (part['type'] === 'tool_use') {
    into.calls.push({ name: String(part['name']), arguments: part['input'] as Json });
  }
  const source = part['source'] as { media_type?: string; data?: string } | undefined;
  if (part['type'] === 'image' && source) {
    into.pictures.push({ type: source.media_type ?? 'by URL', bytes: bytesOf(source.data ?? '') });
  }
}
