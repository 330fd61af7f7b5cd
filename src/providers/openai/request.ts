import type { Converted } from '../shared/converted.ts';
import { Omissions, unlessNeutral } from '../shared/unsupported.ts';
import type {
  Message,
  ResponseFormat,
  TextRequest,
  Tool,
  ToolCall,
  ToolChoice,
  UserPart,
} from '../spec.ts';
import type { ChatSent } from './answer.ts';
import type { ServerTraits } from './dialect.ts';

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

/** GPT-5.4 and later, except those that do not reason (`gpt-5.5-chat-latest`). */
const recent = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])(?!.*chat)/;
/** GPT-5.5 and later reason by default. */
const reasonsByDefault = /^gpt-(?:5\.(?:[5-9]|\d\d)|[6-9])/;

/**
 * The reasoning effort to send. For its recent models, OpenAI's chat completions accept tools only with the
 * effort `none`. A call without an effort is refused too if the model reasons by default.
 */
export function effortOf(
  { model, tools = [], reasoningEffort: effort }: TextRequest,
  { reasonsWithTools }: ServerTraits,
  omissions: Omissions,
): string | undefined {
  if (reasonsWithTools || tools.length === 0 || effort === 'none' || !recent.test(model)) {
    return effort;
  }
  const why = 'OpenAI accepts tools for this model only with the reasoning effort none.';
  if (effort !== undefined) omissions.add('reasoningEffort', why);
  else if (reasonsByDefault.test(model)) omissions.warnings.push(`${why} The call used none.`);
  else return undefined;
  return 'none';
}

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } };

export interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type ChatMessage =
  | { role: 'system' | 'developer'; content: string }
  | { role: 'user'; content: string | ChatPart[] }
  | {
      role: 'assistant';
      content: string | null;
      reasoning_content?: string;
      tool_calls?: ChatToolCall[];
    }
  | { role: 'tool'; tool_call_id: string; content: string };

/** Replaces thoughts that were not kept: the server requires the field and refuses an empty one. */
const NO_THOUGHT = ' ';

export function chatMessages(messages: readonly Message[], traits: ServerTraits): ChatMessage[] {
  return messages.map((message) => chatMessage(message, traits));
}

function chatMessage(
  message: Message,
  { knowsDeveloper, wantsThoughts }: ServerTraits,
): ChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'developer':
      return { role: knowsDeveloper ? 'developer' : 'system', content: message.content };
    case 'user': {
      const { content } = message;
      return {
        role: 'user',
        content: typeof content === 'string' ? content : content.map(chatPart),
      };
    }
    case 'assistant': {
      const { content, toolCalls = [], thoughts } = message;
      return {
        role: 'assistant',
        content,
        ...(wantsThoughts && { reasoning_content: thoughts || NO_THOUGHT }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(chatToolCall) }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

function chatPart(part: UserPart): ChatPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { url, detail } = part;
  return { type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } };
}

function chatToolCall({ id, name, arguments: text }: ToolCall): ChatToolCall {
  return { id, type: 'function', function: { name, arguments: text } };
}
