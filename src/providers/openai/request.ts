import type { Converted } from '../shared/converted.ts';
import { Omissions, unlessNeutral } from '../shared/unsupported.ts';
import type { ResponseFormat, TextRequest, Tool, ToolChoice } from '../spec.ts';
import type { ChatSent } from './answer.ts';
import type { ServerTraits } from './dialect.ts';
import { effortOf } from './effort.ts';
import { chatMessages, type ChatMessage } from './messages.ts';

/** The body of `POST /chat/completions`, as far as the gateway uses it. JSON leaves out undefined fields. */
export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number | undefined;
  top_p?: number | undefined;
  seed?: number;
  random_seed?: number;
  stop?: readonly string[] | undefined;
  frequency_penalty?: number | undefined;
  presence_penalty?: number | undefined;
  tools?: unknown[];
  tool_choice?: unknown;
  parallel_tool_calls?: boolean | undefined;
  response_format?: unknown;
  reasoning_effort?: string | undefined;
  user?: string | undefined;
  stream?: true;
  stream_options?: { include_usage: true };
}

export function chatBody(
  request: TextRequest,
  traits: ServerTraits,
  stream: boolean,
): Converted<ChatBody> & ChatSent {
  const omissions = new Omissions(request);
  const setting = (field: 'topP' | 'frequencyPenalty' | 'presencePenalty'): number | undefined =>
    traits.hasUsualDefaults ? unlessNeutral(request[field], field) : request[field];
  const body: ChatBody = {
    model: request.model,
    messages: chatMessages(request.messages, traits),
    [traits.tokenLimitField]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: setting('topP'),
    stop: request.stop?.length ? request.stop : undefined,
    frequency_penalty: setting('frequencyPenalty'),
    presence_penalty: setting('presencePenalty'),
    reasoning_effort: effortOf(request, traits, omissions),
    user: traits.knowsUser ? request.user : undefined,
  };
  addTools(body, request);
  if (request.responseFormat) body.response_format = responseFormat(request.responseFormat);
  if (stream) {
    body.stream = true;
    if (traits.usageOnRequest) body.stream_options = { include_usage: true };
  }
  const seed = omissions.seed(request.seed, Number.isSafeInteger, 'whole numbers');
  if (seed !== null) body[traits.seedField] = seed;
  const { thoughtsInTotalAlone, wantsThoughts } = traits;
  return { body, seed, warnings: omissions.warnings, thoughtsInTotalAlone, wantsThoughts };
}

function addTools(
  body: ChatBody,
  { tools = [], toolChoice, parallelToolCalls }: TextRequest,
): void {
  // Without tools, servers refuse both settings.
  if (tools.length === 0) return;
  body.tools = tools.map(chatTool);
  if (toolChoice !== undefined) body.tool_choice = chatToolChoice(toolChoice);
  body.parallel_tool_calls = parallelToolCalls;
}

function chatTool({ name, description, parameters, strict }: Tool): unknown {
  return { type: 'function', function: { name, description, parameters, strict } };
}

function chatToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.name } };
}

function responseFormat(format: ResponseFormat): unknown {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}
