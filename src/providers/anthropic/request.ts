import { someTurns, systemText } from '../shared/conversation.ts';
import { Omissions, unlessNeutral } from '../shared/unsupported.ts';
import {
  UnsupportedError,
  type ResponseFormat,
  type TextRequest,
  type Tool,
  type ToolChoice,
} from '../spec.ts';
import { refuseTooManyBreakpoints, systemBlocks, withBreakpoint, type Block } from './cache.ts';
import { turns } from './messages.ts';

/** Models that always think; for these the API refuses a tool choice that forces a call. */
const neverForced = /^claude-(?:(?:opus|sonnet)-5-5|(?:fable|mythos)-5-1)(?!\d)/;

/** The reasoning efforts of the API. */
const efforts: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The body of `POST /messages`, as far as the gateway uses it. */
export function messagesBody(request: TextRequest, stream: boolean) {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'frequencyPenalty', 'presencePenalty');
  const { messages, cachePrompt, stop, user } = request;
  const system = systemText(messages);
  const blocks = cachePrompt ? systemBlocks(messages) : undefined;
  const body = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    messages: someTurns(turns(messages, cachePrompt)),
    temperature: request.temperature,
    // Newer models refuse it together with a temperature.
    top_p: unlessNeutral(request.topP, 'topP'),
    ...(system.trim() !== '' && { system: blocks ?? system }),
    ...(stop?.length && { stop_sequences: stop }),
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...toolFields(request),
    ...outputConfig(request, omissions),
    ...(stream && { stream: true }),
  };
  if (cachePrompt) {
    const content = body.messages.flatMap((turn) => turn.content);
    refuseTooManyBreakpoints([...(body.tools ?? []), ...(blocks ?? []), ...content]);
  }
  return { body, seed: null, warnings: omissions.warnings };
}

function toolFields({
  model,
  tools = [],
  toolChoice = 'auto',
  parallelToolCalls,
  cachePrompt,
}: TextRequest): { tools?: Block[]; tool_choice?: object } {
  if (tools.length === 0) return {};
  const isForced = toolChoice !== 'auto' && toolChoice !== 'none';
  if (isForced && neverForced.test(model)) {
    const why = 'This model only supports the tool choices auto and none.';
    throw new UnsupportedError('toolChoice', why);
  }
  const wireTools = tools.map((tool) =>
    withBreakpoint(wireTool(tool), cachePrompt && tool.cacheBreakpoint),
  );
  const single = parallelToolCalls === false && toolChoice !== 'none';
  if (toolChoice === 'auto' && !single) return { tools: wireTools };
  const choice = wireChoice(toolChoice);
  const tool_choice = single ? { ...choice, disable_parallel_tool_use: true } : choice;
  return { tools: wireTools, tool_choice };
}

function wireTool({ name, description, parameters, strict }: Tool): Block {
  const input_schema = { type: 'object', ...parameters };
  return { name, description, input_schema, ...(strict && { strict }) };
}

function wireChoice(choice: ToolChoice): object {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function outputConfig(
  { reasoningEffort: effort, responseFormat }: TextRequest,
  omissions: Omissions,
): object {
  const format = responseFormat && wireFormat(responseFormat);
  const isKnown = effort !== undefined && efforts.includes(effort);
  if (effort !== undefined && !isKnown) {
    const list = efforts.join(', ');
    omissions.add('reasoningEffort', `This provider only supports the reasoning efforts ${list}.`);
  }
  if (format === undefined && !isKnown) return {};
  return { output_config: { ...(isKnown && { effort }), ...(format && { format }) } };
}

function wireFormat(format: ResponseFormat): object | undefined {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_schema') return { type: 'json_schema', schema: format.schema };
  const why = 'The provider of this model only supports JSON with a schema: send a json_schema.';
  throw new UnsupportedError('responseFormat', why);
}
