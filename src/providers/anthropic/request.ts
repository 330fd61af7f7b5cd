import { someTurns, systemText } from '../shared/conversation.ts';
import { LeftOut, unlessNeutral } from '../shared/unsupported.ts';
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

/** The body of `POST /messages`, as far as the gateway uses it. Undefined leaves no trace in JSON. */
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

export interface Asked {
  body: MessagesBody;
  warnings: string[];
}

/** Models that always think, and are not to be made to call a tool: the API refuses that. */
const neverForced = /^claude-(?:(?:opus|sonnet)-5-5|(?:fable|mythos)-5-1)(?!\d)/;

/** Steps of effort that the API knows. */
const efforts: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

export function messagesBody(request: TextRequest, stream: boolean): Asked {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.seed, 'seed', 'This provider takes no seed.');
  leftOut.addPenalties(request);
  const body: MessagesBody = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    messages: someTurns(turns(request.messages, request.cachePrompt)),
    temperature: request.temperature,
    // Newer models refuse it beside a temperature.
    top_p: unlessNeutral(request.topP, 'topP'),
  };
  const system = systemText(request.messages);
  const blocks = request.cachePrompt ? systemBlocks(request.messages) : undefined;
  if (system.trim() !== '') body.system = blocks ?? system;
  if (request.stop?.length) body.stop_sequences = request.stop;
  if (request.user !== undefined) body.metadata = { user_id: request.user };
  addTools(body, request);
  if (request.cachePrompt) {
    const said = body.messages.flatMap(({ content }) => content);
    refuseTooManyBreakpoints([...(body.tools ?? []), ...(blocks ?? []), ...said]);
  }
  addOutputConfig(body, request, leftOut);
  if (stream) body.stream = true;
  return { body, warnings: leftOut.warnings };
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
    throw new UnsupportedError('toolChoice', 'This model knows the choices auto and none only.');
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
  leftOut: LeftOut,
): void {
  const format = responseFormat && wireFormat(responseFormat);
  const known = effort !== undefined && efforts.includes(effort);
  if (effort !== undefined && !known) {
    const list = efforts.join(', ');
    leftOut.add('reasoningEffort', `This provider knows the reasoning efforts ${list} only.`);
  }
  if (format === undefined && !known) return;
  body.output_config = { ...(known && { effort }), ...(format !== undefined && { format }) };
}

function wireFormat(format: ResponseFormat): unknown {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_schema') return { type: 'json_schema', schema: format.schema };
  throw new UnsupportedError(
    'responseFormat',
    'The provider of this model answers in JSON by a schema only: send a json_schema.',
  );
}
