import { isForced } from '../shared/conversation.ts';
import { requestedEffort, knownEffort } from '../shared/reasoning-effort.ts';
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
import { toolNames, type ToolNames } from './tool-names.ts';

/** For older contracts; this server has no models after GigaChat 2. */
const FORMER_HOST = 'gigachat.devices.sberbank.ru';

export interface ServerTraits {
  /** Whether the server supports JSON schemas for answers, and reasoning efforts. */
  isCurrent: boolean;
}

/** @param baseUrl any address except the former standard one counts as a current server */
export function traitsOf(baseUrl: string): ServerTraits {
  return { isCurrent: URL.parse(baseUrl)?.hostname !== FORMER_HOST };
}

/** The API refuses 0. At this temperature and below, answers vary as little as possible. */
const TEMPERATURE_MIN = 0.001;

/** The body of `POST /chat/completions`, as far as the gateway uses it. */
export function chatBody(request: TextRequest, traits: ServerTraits, stream: boolean) {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'stop', 'frequencyPenalty', 'presencePenalty', 'verbosity');
  const { temperature, tools = [], toolChoice = 'auto' } = request;
  const names = toolNames(request);
  refuseForcedWithoutTurns(request);
  const body = {
    model: request.model,
    messages: chatMessages(request.messages, names, tools.length > 0),
    max_tokens: request.maxOutputTokens,
    temperature: temperature === undefined ? undefined : Math.max(temperature, TEMPERATURE_MIN),
    top_p: request.topP,
    reasoning_effort: effortOf(request, traits, omissions),
    response_format: formatOf(request.responseFormat, traits),
    ...(tools.length > 0 && {
      functions: tools.map((tool) => functionOf(tool, names)),
      function_call: callMode(toolChoice, tools, names),
    }),
    ...(stream && { stream: true }),
  };
  return { body, seed: null, warnings: omissions.warnings, names };
}

const efforts: readonly string[] = ['low', 'medium', 'high'];

/** By default the models do not reason, so `none` needs no field; those of the former server never reason. */
function effortOf(
  request: TextRequest,
  { isCurrent }: ServerTraits,
  omissions: Omissions,
): string | undefined {
  const effort = requestedEffort(request);
  if (effort === undefined || effort === 'none') return undefined;
  if (isCurrent) return knownEffort(effort, efforts, omissions);
  omissions.add('reasoningEffort', 'This provider does not support reasoning efforts.');
  return undefined;
}

/** The API answers such a request with 422. */
function refuseForcedWithoutTurns({ tools, toolChoice, messages }: TextRequest): void {
  if (!isForced(toolChoice) || !tools?.length) return;
  if (messages.some(({ role }) => role !== 'system' && role !== 'developer')) return;
  const why = 'This provider can only be forced to call a tool after a user message.';
  throw new UnsupportedError('toolChoice', why);
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

function functionOf({ name, description, parameters }: Tool, names: ToolNames): unknown {
  return {
    name: names.sent(name),
    description,
    parameters: plainParameters(name, parameters ?? {}),
  };
}

/** Whether the model may call functions, or must call this one. */
function callMode(
  choice: ToolChoice,
  tools: readonly Tool[],
  names: ToolNames,
): 'auto' | 'none' | { name: string } {
  if (typeof choice === 'object') return { name: names.sent(choice.name) };
  if (choice !== 'required') return choice;
  const [only, ...more] = tools;
  if (only && more.length === 0) return { name: names.sent(only.name) };
  const why = 'This provider can only be forced to call one named tool: name it.';
  throw new UnsupportedError('toolChoice', why);
}
