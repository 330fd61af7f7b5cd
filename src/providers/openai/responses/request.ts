import { callIdIn } from '../../shared/call-ids.ts';
import { textOfFile } from '../../shared/parts.ts';
import { inOrder } from '../../shared/reasoning.ts';
import { reasonsByName } from '../../shared/reasoning-effort.ts';
import { Omissions, unlessNeutral } from '../../shared/unsupported.ts';
import type { JsonRecord } from '../../shared/wire.ts';
import {
  UnsupportedError,
  type Message,
  type ResponseFormat,
  type TextRequest,
  type ReasoningBlock,
  type Tool,
  type ToolChoice,
  type UserPart,
} from '../../spec.ts';
import { effortOfOpenAi } from '../effort.ts';
import { RefusedHints } from '../hints.ts';
import type { KeptCalls } from '../kept-calls.ts';

/** The API refuses a lower cap. */
const OUTPUT_TOKENS_MIN = 16;
/** The API refuses longer ids of calls. */
const callIds = /^.{1,64}$/s;

/** Whether an OpenAI model shows its reasoning on request, which it does only in this interface. */
export function showsReasoningInResponses(request: TextRequest): boolean {
  const { model, shownReasoning, maxOutputTokens, seed, stop } = request;
  if (shownReasoning?.summary === undefined || !reasonsByName(model)) return false;
  const others = [request.frequencyPenalty, request.presencePenalty].filter(Boolean);
  const isTaken = seed === undefined && !stop?.length && others.length === 0;
  return isTaken && maxOutputTokens >= OUTPUT_TOKENS_MIN;
}

/** What a provider remembers of earlier calls. */
interface Memory {
  calls: KeptCalls;
  refused?: RefusedHints | undefined;
}

/** The body of `POST /responses`, as far as the gateway uses it. Nothing is stored at the provider. */
export function responsesBody(
  request: TextRequest,
  stream: boolean,
  { calls: kept, refused = new RefusedHints() }: Memory,
) {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'stop', 'frequencyPenalty', 'presencePenalty');
  const { model, tools = [], responseFormat, maxOutputTokens } = request;
  if (maxOutputTokens < OUTPUT_TOKENS_MIN) {
    const why = `The Responses API takes no cap below ${OUTPUT_TOKENS_MIN} tokens.`;
    throw new UnsupportedError('maxOutputTokens', why);
  }
  const hints = refused.withoutRefused(
    model,
    {
      reasoning_effort: effortOfOpenAi(request, omissions),
      reasoning_summary: request.shownReasoning?.summary,
      verbosity: request.verbosity,
    },
    omissions,
  );
  const { reasoning_effort: effort, reasoning_summary: summary, verbosity } = hints;
  const text = {
    ...(responseFormat && { format: formatOf(responseFormat) }),
    ...(verbosity !== undefined && { verbosity }),
  };
  const body: JsonRecord = {
    model,
    input: request.messages.flatMap((message) => itemsOf(message, model, kept)),
    max_output_tokens: maxOutputTokens,
    temperature: request.temperature,
    top_p: unlessNeutral(request.topP, 'topP'),
    ...((effort ?? summary) !== undefined && { reasoning: { effort, summary } }),
    ...(Object.keys(text).length > 0 && { text }),
    ...(tools.length > 0 && {
      tools: tools.map(toolOf),
      tool_choice: choiceOf(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
    user: request.user,
    // Reasoning comes encrypted, to be sent back with the results of calls.
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: stream ? true : undefined,
  };
  return {
    body,
    hints: { model, ...hints },
    seed: null,
    warnings: omissions.warnings,
    model,
    kept,
  };
}

function itemsOf(message: Message, model: string, kept: KeptCalls): object[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: message.role, content: message.content }];
    case 'user': {
      const { role, content } = message;
      if (typeof content === 'string') return [{ role, content }];
      return [{ role, content: content.map(partOf) }];
    }
    case 'assistant': {
      const { role, content, toolCalls = [], reasoning = [] } = message;
      const [first] = toolCalls;
      const given = reasoning.filter(({ seal }) => seal?.by === 'openai' && seal.model === model);
      const answer = { text: content ?? '', toolCalls, reasoning: given };
      const items = [...inOrder(answer)].map((piece): object => {
        if (piece.type === 'reasoning') return reasoningItem(piece.block);
        if (piece.type === 'text') return { role, content: piece.text };
        const { id, name, arguments: text } = piece.call;
        return {
          type: 'function_call',
          call_id: callIdIn(callIds, kept.idOf(id)),
          name,
          arguments: text,
        };
      });
      const remembered = given.length === 0 && first ? kept.reasoningOf(first.id, model) : [];
      return [...remembered, ...items];
    }
    case 'tool': {
      const { toolCallId, content } = message;
      const output = typeof content === 'string' ? content : content.map(partOf);
      return [
        { type: 'function_call_output', call_id: callIdIn(callIds, kept.idOf(toolCallId)), output },
      ];
    }
  }
}

function reasoningItem({ seal }: ReasoningBlock): object {
  return { type: 'reasoning', ...(seal?.by === 'openai' && seal.item) };
}

function partOf(part: UserPart): object {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  if (part.type === 'image') {
    return { type: 'input_image', image_url: part.url, detail: part.detail ?? 'auto' };
  }
  const text = textOfFile(part);
  if (text !== undefined) return { type: 'input_text', text };
  const { url, name } = part;
  if (url.startsWith('https://')) return { type: 'input_file', file_url: url };
  return { type: 'input_file', filename: name ?? 'file.pdf', file_data: url };
}

/** Without the field, the API would change the schema to a strict one. */
function toolOf({ name, description, parameters, strict = false }: Tool): object {
  const schema = parameters ?? { type: 'object', properties: {} };
  return { type: 'function', name, description, parameters: schema, strict };
}

function choiceOf(choice: ToolChoice | undefined): unknown {
  return typeof choice === 'object' ? { type: 'function', name: choice.name } : choice;
}

function formatOf(format: ResponseFormat): object {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', name, description, schema, strict };
}
