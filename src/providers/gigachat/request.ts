import type { Converted } from '../shared/converted.ts';
import { Omissions } from '../shared/unsupported.ts';
import {
  UnsupportedError,
  type ResponseFormat,
  type TextRequest,
  type Tool,
  type ToolChoice,
} from '../spec.ts';
import { chatMessages, type ChatMessage } from './messages.ts';
import { plainParameters } from './schema.ts';

/** Serves older contracts; it has no models after GigaChat 2. */
const FORMER_HOST = 'gigachat.devices.sberbank.ru';

export interface ServerTraits {
  /** Whether the server supports JSON schemas for answers. */
  supportsSchema: boolean;
  /** Whether the server supports reasoning efforts. */
  supportsEffort: boolean;
}

/** @param baseUrl any address except the former standard one counts as a current server */
export function traitsOf(baseUrl: string): ServerTraits {
  const isFormer = URL.parse(baseUrl)?.hostname === FORMER_HOST;
  return { supportsSchema: !isFormer, supportsEffort: !isFormer };
}

/** The body of `POST /chat/completions`, as far as the gateway uses it. JSON leaves out undefined fields. */
export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  max_tokens?: number;
  temperature?: number | undefined;
  top_p?: number | undefined;
  functions?: unknown[];
  function_call?: FunctionCallMode;
  response_format?: unknown;
  reasoning_effort?: string | undefined;
  stream?: true;
}

/** Whether the model may call functions, or must call this one. */
type FunctionCallMode = 'auto' | 'none' | { name: string };

/** The API refuses 0. At this temperature and below, answers vary as little as they can. */
const TEMPERATURE_MIN = 0.001;

export function chatBody(
  request: TextRequest,
  traits: ServerTraits,
  stream: boolean,
): Converted<ChatBody> {
  const omissions = new Omissions(request);
  omissions.addIf(request.seed, 'seed', 'This provider does not support seeds.');
  omissions.addIf(request.stop?.[0], 'stop', 'This provider does not support stop sequences.');
  omissions.addPenalties(request);
  const { temperature, reasoningEffort, responseFormat } = request;
  if (!traits.supportsEffort) {
    omissions.addIf(
      reasoningEffort,
      'reasoningEffort',
      'This provider does not support reasoning efforts.',
    );
  }
  const body: ChatBody = {
    model: request.model,
    messages: chatMessages(request.messages),
    max_tokens: request.maxOutputTokens,
    temperature: temperature === undefined ? undefined : Math.max(temperature, TEMPERATURE_MIN),
    top_p: request.topP,
    // By default the models do not reason; the API does not know the effort `none`.
    reasoning_effort:
      traits.supportsEffort && reasoningEffort !== 'none' ? reasoningEffort : undefined,
  };
  if (responseFormat && responseFormat.type !== 'text') {
    body.response_format = formatOf(responseFormat, traits);
  }
  const { tools = [], toolChoice } = request;
  if (tools.length > 0) {
    body.functions = tools.map(functionOf);
    body.function_call = callMode(toolChoice ?? 'auto', tools);
  }
  if (stream) body.stream = true;
  return { body, seed: null, warnings: omissions.warnings };
}

function formatOf(
  format: Exclude<ResponseFormat, { type: 'text' }>,
  { supportsSchema }: ServerTraits,
): unknown {
  if (!supportsSchema) {
    throw new UnsupportedError('responseFormat', 'This provider only supports plain text answers.');
  }
  if (format.type === 'json_object') {
    throw new UnsupportedError('responseFormat', 'This provider only supports JSON with a schema.');
  }
  // The schema is next to the type, not in an object with a name.
  return { type: format.type, schema: format.schema, strict: format.strict };
}

function functionOf({ name, description, parameters }: Tool): unknown {
  return { name, description, parameters: plainParameters(name, parameters ?? {}) };
}

function callMode(choice: ToolChoice, tools: readonly Tool[]): FunctionCallMode {
  if (choice !== 'required') return choice;
  const [only, ...more] = tools;
  if (only && more.length === 0) return { name: only.name };
  throw new UnsupportedError(
    'toolChoice',
    'This provider can only be forced to call one named tool: name it.',
  );
}
