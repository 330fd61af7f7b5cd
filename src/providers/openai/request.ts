import { Omissions, unlessNeutral } from '../shared/unsupported.ts';
import type { JsonRecord } from '../shared/wire.ts';
import type {
  Message,
  ResponseFormat,
  TextRequest,
  Tool,
  ToolCall,
  ToolChoice,
  UserPart,
} from '../spec.ts';
import type { ServerTraits } from './dialect.ts';

/** The body of `POST /chat/completions`, as far as the gateway uses it. */
export function chatBody(request: TextRequest, traits: ServerTraits, stream: boolean) {
  const omissions = new Omissions(request);
  const setting = (field: 'topP' | 'frequencyPenalty' | 'presencePenalty'): number | undefined =>
    traits.hasUsualDefaults ? unlessNeutral(request[field], field) : request[field];
  const { tools = [] } = request;
  const effort = effortOf(request, traits, omissions);
  const seed = omissions.seed(request.seed, Number.isSafeInteger, 'whole numbers');
  const body: JsonRecord = {
    model: request.model,
    messages: request.messages.map((message) => chatMessage(message, traits)),
    [traits.tokenLimitField]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: setting('topP'),
    [traits.seedField]: seed ?? undefined,
    stop: request.stop?.length ? request.stop : undefined,
    frequency_penalty: setting('frequencyPenalty'),
    presence_penalty: setting('presencePenalty'),
    reasoning_effort: effort,
    user: traits.knowsUser ? request.user : undefined,
    response_format: request.responseFormat && formatOf(request.responseFormat),
    // Without tools, servers refuse the other two.
    tools: tools.length > 0 ? tools.map(chatTool) : undefined,
    tool_choice: tools.length > 0 ? choiceOf(request.toolChoice) : undefined,
    parallel_tool_calls: tools.length > 0 ? request.parallelToolCalls : undefined,
    stream: stream ? true : undefined,
    stream_options: stream && traits.usageOnRequest ? { include_usage: true } : undefined,
  };
  const { thoughtsInTotalAlone, wantsThoughts } = traits;
  return { body, seed, warnings: omissions.warnings, thoughtsInTotalAlone, wantsThoughts };
}

function chatTool({ name, description, parameters, strict }: Tool): object {
  return { type: 'function', function: { name, description, parameters, strict } };
}

function choiceOf(choice: ToolChoice | undefined): unknown {
  if (typeof choice !== 'object') return choice;
  return { type: 'function', function: { name: choice.name } };
}

function formatOf(format: ResponseFormat): object {
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
function effortOf(
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

/** Replaces thoughts that were not kept: the server requires the field and refuses an empty one. */
const NO_THOUGHT = ' ';

function chatMessage(message: Message, { knowsDeveloper, wantsThoughts }: ServerTraits): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'developer':
      return { role: knowsDeveloper ? 'developer' : 'system', content: message.content };
    case 'user': {
      const { role, content } = message;
      return { role, content: typeof content === 'string' ? content : content.map(chatPart) };
    }
    case 'assistant': {
      const { role, content, toolCalls = [], thoughts } = message;
      return {
        role,
        content,
        ...(wantsThoughts && { reasoning_content: thoughts || NO_THOUGHT }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(chatToolCall) }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

function chatPart(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: part.url, detail: part.detail } };
}

function chatToolCall({ id, name, arguments: text }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } };
}
