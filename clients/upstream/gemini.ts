import { data, idOf, pieces, type Dialect, type Json } from './dialect.ts';
import { bytesOf, message, textIn, type Message, type Reply } from './turn.ts';

interface Part extends Json {
  text?: string;
  thought?: boolean;
  inlineData?: { mimeType: string; data: string };
  functionCall?: { name: string; args: Json };
  functionResponse?: { name: string; response: Json; parts?: Part[] };
}

/** `generateContent` of Gemini. */
export const gemini: Dialect = {
  read: (body, path) => {
    const config = (body['generationConfig'] ?? {}) as Json;
    const tools = (body['tools'] ?? []) as { functionDeclarations?: Json[] }[];
    const calling = body['toolConfig'] as { functionCallingConfig?: { mode?: string } } | undefined;
    const system = body['systemInstruction'] as { parts: Part[] } | undefined;
    return {
      messages: [
        message('system', (system?.parts ?? []).map(({ text }) => text ?? '').join('\n')),
        ...(body['contents'] as { role: string; parts: Part[] }[]).flatMap(readContent),
      ],
      tools: tools
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map((tool) => ({
          name: String(tool['name']),
          description: textIn(tool['description']),
          schema: (tool['parametersJsonSchema'] ?? tool['parameters'] ?? {}) as Json,
        })),
      mustCall: calling?.functionCallingConfig?.mode === 'ANY',
      schema: config['responseJsonSchema'] as Json | undefined,
      streamed: path.includes(':streamGenerateContent'),
    };
  },
  whole: (reply, model) => chunkOf(model, partsOf(reply, reply.text ?? ''), 'STOP'),
  events: (reply, model) => {
    const { reasoning, call } = reply;
    const bits: Part[][] = [
      ...(reasoning === undefined ? [] : [partsOf({ reasoning }, '')]),
      ...pieces(reply).map((text) => [{ text }]),
      ...(call ? [partsOf({ call }, '')] : []),
    ];
    return [
      ...bits.map((parts) => data(chunkOf(model, parts))),
      data(chunkOf(model, [{ text: '' }], 'STOP')),
    ];
  },
};

const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBzY3JpcHQ=';

function partsOf({ reasoning, call }: Reply, text: string): Part[] {
  return [
    ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    ...(call
      ? [
          {
            functionCall: { name: call.name, args: call.arguments },
            thoughtSignature: SIGNATURE,
          },
        ]
      : []),
  ];
}

function chunkOf(model: string, parts: Part[], finishReason?: string): Json {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) },
    ],
    ...(finishReason && {
      usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 10, totalTokenCount: 60 },
    }),
    modelVersion: model,
    responseId: idOf('gemini'),
  };
}

function readContent({ role, parts }: { role: string; parts: Part[] }): Message[] {
  const own = message(role === 'model' ? 'assistant' : 'user');
  const results: Message[] = [];
  for (const part of parts) {
    const { functionResponse: result } = part;
    if (result) {
      const read = message('tool', wordsOf(result.response));
      for (const inner of result.parts ?? []) readPart(inner, read);
      results.push(read);
    } else readPart(part, own);
  }
  const isEmpty = own.text === '' && own.pictures.length === 0 && own.calls.length === 0;
  return isEmpty ? results : [...results, own];
}

function wordsOf(response: Json): string {
  const values = Object.values(response);
  return values.every((value) => typeof value === 'string')
    ? values.join(' ')
    : JSON.stringify(response);
}

function readPart({ text, thought, inlineData, functionCall: call }: Part, into: Message): void {
  if (text !== undefined && thought !== true) into.text += text;
  if (inlineData) {
    into.pictures.push({ type: inlineData.mimeType, bytes: bytesOf(inlineData.data) });
  }
  if (call) into.calls.push({ name: call.name, arguments: call.args });
}
