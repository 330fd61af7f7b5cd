import { LeftOut } from '../shared/unsupported.ts';
import {
  UnsupportedError,
  type ResponseFormat,
  type TextRequest,
  type Tool,
  type ToolChoice,
} from '../spec.ts';
import type { ServerTraits } from './dialect.ts';
import { chatMessages, type ChatMessage } from './messages.ts';
import { plainParameters } from './schema.ts';

/** The body of `POST /chat/completions`, as far as the gateway uses it. Undefined leaves no trace in JSON. */
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

/** May a function be called, or must this one be? */
type FunctionCallMode = 'auto' | 'none' | { name: string };

export interface Asked {
  body: ChatBody;
  warnings: string[];
}

/** The API refuses 0; from here down to it, it answers the same, as steadily as it can. */
const TEMPERATURE_MIN = 0.001;

export function chatBody(request: TextRequest, traits: ServerTraits, stream: boolean): Asked {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.seed, 'seed', 'This provider takes no seed.');
  leftOut.addIf(request.stop?.[0], 'stop', 'This provider takes no stop texts.');
  leftOut.addPenalties(request);
  const { temperature, reasoningEffort, responseFormat } = request;
  if (!traits.takesEffort) {
    leftOut.addIf(reasoningEffort, 'reasoningEffort', 'This provider takes no effort.');
  }
  const body: ChatBody = {
    model: request.model,
    messages: chatMessages(request.messages),
    max_tokens: request.maxOutputTokens,
    temperature: temperature === undefined ? undefined : Math.max(temperature, TEMPERATURE_MIN),
    top_p: request.topP,
    // Unasked, the models do not reason: the word for that is not among those that the API knows.
    reasoning_effort:
      traits.takesEffort && reasoningEffort !== 'none' ? reasoningEffort : undefined,
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
  return { body, warnings: leftOut.warnings };
}

function formatOf(
  format: Exclude<ResponseFormat, { type: 'text' }>,
  { takesSchema }: ServerTraits,
): unknown {
  if (!takesSchema) {
    throw new UnsupportedError('responseFormat', 'This provider answers in plain text only.');
  }
  if (format.type === 'json_object') {
    throw new UnsupportedError('responseFormat', 'This provider answers in JSON by a schema only.');
  }
  // The schema stands beside the type, not in an object with a name.
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
    'This provider can be made to call one given tool only: name it.',
  );
}
