import { Omissions } from '../shared/unsupported.ts';
import {
  UnsupportedError,
  type ResponseFormat,
  type TextRequest,
  type Tool,
  type ToolChoice,
} from '../spec.ts';
import { chatMessages } from './messages.ts';
import { plainParameters } from './schema.ts';

/** Serves older contracts; it has no models after GigaChat 2. */
const FORMER_HOST = 'gigachat.devices.sberbank.ru';

export interface ServerTraits {
  /** Whether the server supports JSON schemas for answers, and reasoning efforts. */
  isCurrent: boolean;
}

/** @param baseUrl any address except the former standard one counts as a current server */
export function traitsOf(baseUrl: string): ServerTraits {
  return { isCurrent: URL.parse(baseUrl)?.hostname !== FORMER_HOST };
}

/** The API refuses 0. At this temperature and below, answers vary as little as they can. */
const TEMPERATURE_MIN = 0.001;

/** The body of `POST /chat/completions`, as far as the gateway uses it. */
export function chatBody(request: TextRequest, traits: ServerTraits, stream: boolean) {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'stop', 'frequencyPenalty', 'presencePenalty');
  const { temperature, reasoningEffort: effort, tools = [], toolChoice = 'auto' } = request;
  // The former server's models do not reason anyway.
  if (!traits.isCurrent && effort !== 'none') omissions.addAll('reasoningEffort');
  const body = {
    model: request.model,
    messages: chatMessages(request.messages),
    max_tokens: request.maxOutputTokens,
    temperature: temperature === undefined ? undefined : Math.max(temperature, TEMPERATURE_MIN),
    top_p: request.topP,
    // By default the models do not reason; the API does not know the effort `none`.
    reasoning_effort: traits.isCurrent && effort !== 'none' ? effort : undefined,
    response_format: formatOf(request.responseFormat, traits),
    ...(tools.length > 0 && {
      functions: tools.map(functionOf),
      function_call: callMode(toolChoice, tools),
    }),
    ...(stream && { stream: true }),
  };
  return { body, seed: null, warnings: omissions.warnings };
}

function formatOf(format: ResponseFormat | undefined, { isCurrent }: ServerTraits): unknown {
  if (!format || format.type === 'text') return undefined;
  if (!isCurrent) {
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

/** Whether the model may call functions, or must call this one. */
function callMode(choice: ToolChoice, tools: readonly Tool[]): 'auto' | 'none' | { name: string } {
  if (choice !== 'required') return choice;
  const [only, ...more] = tools;
  if (only && more.length === 0) return { name: only.name };
  const why = 'This provider can only be forced to call one named tool: name it.';
  throw new UnsupportedError('toolChoice', why);
}
