import { someTurns, systemText } from '../shared/conversation.ts';
import type { Converted } from '../shared/converted.ts';
import { Omissions, unlessNeutral } from '../shared/unsupported.ts';
import {
  UnsupportedError,
  type ResponseFormat,
  type TextRequest,
  type Tool,
  type ToolChoice,
} from '../spec.ts';
import {
  refuseTooManyBreakpoints,
  systemBlocks,
  withBreakpoint,
  type CacheControl,
  type TextBlock,
} from './cache.ts';
import { turns, type Turn } from './messages.ts';

/** The body of `POST /messages`, as far as the gateway uses it. JSON leaves out undefined fields. */
export interface MessagesBody {
  model: string;
  max_tokens: number;
  messages: Turn[];
  system?: string | TextBlock[];
  temperature?: number | undefined;
  top_p?: number | undefined;
  stop_sequences?: readonly string[];
  tools?: WireTool[];
  tool_choice?: unknown;
  output_config?: { effort?: string; format?: unknown };
  metadata?: { user_id: string };
  stream?: true;
}

/** Models that always think; for these the API refuses a tool choice that forces a call. */
const neverForced = /^claude-(?:(?:opus|sonnet)-5-5|(?:fable|mythos)-5-1)(?!\d)/;

/** The reasoning efforts of the API. */
const efforts: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

export function messagesBody(request: TextRequest, stream: boolean): Converted<MessagesBody> {
  const omissions = new Omissions(request);
  omissions.addIf(request.seed, 'seed', 'This provider does not support seeds.');
  omissions.addPenalties(request);
  const body: MessagesBody = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    messages: someTurns(turns(request.messages, request.cachePrompt)),
    temperature: request.temperature,
    // Newer models refuse it together with a temperature.
    top_p: unlessNeutral(request.topP, 'topP'),
  };
  const system = systemText(request.messages);
  const blocks = request.cachePrompt ? systemBlocks(request.messages) : undefined;
  if (system.trim() !== '') body.system = blocks ?? system;
  if (request.stop?.length) body.stop_sequences = request.stop;
  if (request.user !== undefined) body.metadata = { user_id: request.user };
  addTools(body, request);
  if (request.cachePrompt) {
    const content = body.messages.flatMap((turn) => turn.content);
    refuseTooManyBreakpoints([...(body.tools ?? []), ...(blocks ?? []), ...content]);
  }
  addOutputConfig(body, request, omissions);
  if (stream) body.stream = true;
  return { body, seed: null, warnings: omissions.warnings };
}

interface WireTool extends CacheControl {
  name: string;
  description?: string | undefined;
  input_schema: object;
  strict?: boolean;
}

function addTools(
  body: MessagesBody,
  { model, tools = [], toolChoice = 'auto', parallelToolCalls, cachePrompt }: TextRequest,
): void {
  if (tools.length === 0) return;
  if (toolChoice !== 'auto' && toolChoice !== 'none' && neverForced.test(model)) {
    throw new UnsupportedError(
      'toolChoice',
      'This model only supports the tool choices auto and none.',
    );
  }
  body.tools = tools.map((tool) =>
    withBreakpoint(wireTool(tool), cachePrompt && tool.cacheBreakpoint),
  );
  const choice = wireChoice(toolChoice);
  const single = parallelToolCalls === false && toolChoice !== 'none';
  if (toolChoice === 'auto' && !single) return;
  body.tool_choice = single ? { ...choice, disable_parallel_tool_use: true } : choice;
}

function wireTool({ name, description, parameters, strict }: Tool): WireTool {
  const input_schema = { type: 'object', ...parameters };
  return { name, description, input_schema, ...(strict && { strict }) };
}

function wireChoice(choice: ToolChoice): { type: string; name?: string } {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function addOutputConfig(
  body: MessagesBody,
  { reasoningEffort: effort, responseFormat }: TextRequest,
  omissions: Omissions,
): void {
  const format = responseFormat && wireFormat(responseFormat);
  const isKnown = effort !== undefined && efforts.includes(effort);
  if (effort !== undefined && !isKnown) {
    const list = efforts.join(', ');
    omissions.add('reasoningEffort', `This provider only supports the reasoning efforts ${list}.`);
  }
  if (format === undefined && !isKnown) return;
  body.output_config = { ...(isKnown && { effort }), ...(format !== undefined && { format }) };
}

function wireFormat(format: ResponseFormat): unknown {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_schema') return { type: 'json_schema', schema: format.schema };
  throw new UnsupportedError(
    'responseFormat',
    'The provider of this model only supports JSON with a schema: send a json_schema.',
  );
}
