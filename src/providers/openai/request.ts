import { Omissions } from '../shared/unsupported.ts';
import { callIdIn } from '../shared/call-ids.ts';
import { withAttachmentsMoved } from '../shared/parts.ts';
import { reasoningText } from '../shared/reasoning.ts';
import type { JsonRecord } from '../shared/wire.ts';
import {
  UnsupportedError,
  type Message,
  type ResponseFormat,
  type TextRequest,
  type ReasoningBlock,
  type Tool,
  type ToolCall,
  type ToolChoice,
} from '../spec.ts';
import type { ServerTraits } from './dialect.ts';
import { hintFields } from './effort.ts';
import { RefusedHints } from './hints.ts';
import { KeptCalls } from './kept-calls.ts';
import { partsOf } from './parts.ts';
import { samplingOf } from './sampling.ts';

/** What a provider remembers of earlier calls. */
interface Memory {
  calls: KeptCalls;
  refused: RefusedHints;
}

/** The body of `POST /chat/completions`, as far as the gateway uses it. */
export function chatBody(
  request: TextRequest,
  traits: ServerTraits,
  stream: boolean,
  { calls = new KeptCalls(), refused = new RefusedHints() }: Partial<Memory> = {},
) {
  const omissions = new Omissions(request);
  const sampling = samplingOf(request, traits, omissions);
  const tools = toolsFor(request, traits);
  const seed = omissions.seed(request.seed, Number.isSafeInteger, 'whole numbers');
  const body: JsonRecord = {
    model: request.model,
    messages: sentMessages(request, traits).map((message) => chatMessage(message, traits, calls)),
    [traits.tokenLimitField]: request.maxOutputTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    [traits.seedField]: seed ?? undefined,
    stop: request.stop?.length ? request.stop : undefined,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    ...hintFields(request, traits, refused, omissions),
    user: traits.knowsUser ? request.user : undefined,
    response_format: request.responseFormat && formatOf(request.responseFormat, traits),
    // Without tools, servers refuse the other two.
    tools: tools.length > 0 ? tools.map(chatTool) : undefined,
    tool_choice: tools.length > 0 ? choiceOf(request.toolChoice) : undefined,
    parallel_tool_calls: tools.length > 0 ? request.parallelToolCalls : undefined,
    n: request.n,
    logprobs: request.logprobs && true,
    top_logprobs: request.logprobs?.alternatives,
    stream: stream ? true : undefined,
    stream_options: stream && traits.usageOnRequest ? { include_usage: true } : undefined,
  };
  const { reasoningTokensInTotalAlone, wantsBack } = traits;
  const kept = wantsBack === 'nothing' ? undefined : calls;
  return { body, seed, warnings: omissions.warnings, reasoningTokensInTotalAlone, kept };
}

/** @throws UnsupportedError for a forced tool at a server that ignores the choice */
function toolsFor(
  { tools = [], toolChoice = 'auto' }: TextRequest,
  { isOllama }: ServerTraits,
): readonly Tool[] {
  if (!isOllama || tools.length === 0 || toolChoice === 'auto') return tools;
  if (toolChoice === 'none') return [];
  const why = 'Ollama can’t be forced to call a tool: send the tool choice auto or none.';
  throw new UnsupportedError('toolChoice', why);
}

function chatTool({ name, description, parameters, strict }: Tool): object {
  return { type: 'function', function: { name, description, parameters, strict } };
}

function choiceOf(choice: ToolChoice | undefined): unknown {
  if (typeof choice !== 'object') return choice;
  return { type: 'function', function: { name: choice.name } };
}

function formatOf(format: ResponseFormat, { knowsSchemas }: ServerTraits): object {
  if (format.type !== 'json_schema') return { type: format.type };
  if (!knowsSchemas) {
    const why = 'This provider only supports JSON without a schema: send the format json_object.';
    throw new UnsupportedError('responseFormat', why);
  }
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}

/** Replaces reasoning that was not kept: the server requires the field and refuses an empty one. */
const NO_REASONING = ' ';

function reasoningFields(
  reasoning: readonly ReasoningBlock[] = [],
  wanted: ServerTraits['earlierReasoning'],
) {
  if (wanted === 'none') return {};
  const text = reasoningText(reasoning.filter(({ seal }) => !seal));
  if (text === '' && wanted === 'taken') return {};
  return { reasoning_content: text || NO_REASONING };
}

function chatMessage(message: Message, traits: ServerTraits, kept: KeptCalls): object {
  const { knowsDeveloper, earlierReasoning, wantsBack } = traits;
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'developer':
      return { role: knowsDeveloper ? 'developer' : 'system', content: message.content };
    case 'user': {
      const { role, content } = message;
      return { role, content: partsOf(content, traits) };
    }
    case 'assistant': {
      const { role, content, toolCalls = [], reasoning } = message;
      return {
        role,
        content,
        ...reasoningFields(reasoning, earlierReasoning),
        ...(toolCalls[0] && wantsBack === 'details' && kept.detailsOf(toolCalls[0].id)),
        ...(toolCalls.length > 0 && {
          tool_calls: toolCalls.map((call, at) => ({
            ...chatToolCall(call, traits, kept),
            ...(wantsBack === 'signatures' && kept.signatureOf(call.id, at === 0)),
          })),
        }),
      };
    }
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: callIdIn(traits.callIds, kept.idOf(message.toolCallId)),
        content: partsOf(message.content, traits),
      };
  }
}

/** Only Mistral has images in the results of tools. */
function sentMessages({ messages }: TextRequest, { files }: ServerTraits): readonly Message[] {
  return files === 'mistral' ? messages : withAttachmentsMoved(messages);
}

function chatToolCall(
  { id, name, arguments: text }: ToolCall,
  { callIds }: ServerTraits,
  kept: KeptCalls,
): object {
  return {
    id: callIdIn(callIds, kept.idOf(id)),
    type: 'function',
    function: { name, arguments: text },
  };
}
