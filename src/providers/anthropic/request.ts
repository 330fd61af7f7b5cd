import { isForced, someTurns, systemText } from '../shared/conversation.ts';
import { alwaysReasons } from '../shared/reasoning-effort.ts';
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
import { SignedReasoning } from './signed-reasoning.ts';
import { enforceable } from './schema.ts';
import { reasoningFields } from './reasoning.ts';

/** Since Claude 4, the API refuses `top_p` beside a temperature. */
const eitherSampling = /^claude-(?!instant|[23])/;

/** The body of `POST /messages`, as far as the gateway uses it. */
export function messagesBody(request: TextRequest, stream: boolean, kept = new SignedReasoning()) {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'frequencyPenalty', 'presencePenalty', 'verbosity');
  const { messages, cachePrompt, stop, user } = request;
  const system = systemText(messages);
  const blocks = cachePrompt ? systemBlocks(messages) : undefined;
  const onlyInPrompt = new Set<string>();
  const { thinking, effort } = reasoningFields(request, omissions);
  const body = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    messages: someTurns(turns(messages, cachePrompt, kept)),
    temperature: request.temperature,
    top_p: topPOf(request, omissions),
    ...(system.trim() !== '' && { system: blocks ?? system }),
    ...(stop?.length && { stop_sequences: stop }),
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...toolFields(request, onlyInPrompt),
    ...(thinking && { thinking }),
    ...outputConfig(request, effort, onlyInPrompt),
    ...(stream && { stream: true }),
  };
  if (cachePrompt) {
    const content = body.messages.flatMap((turn) => turn.content);
    refuseTooManyBreakpoints([...(body.tools ?? []), ...(blocks ?? []), ...content]);
  }
  if (onlyInPrompt.size > 0) {
    const names = [...onlyInPrompt].join(', ');
    omissions.warnings.push(
      `This provider does not enforce these keywords of a schema, so they are only written into the prompt of the model: ${names}.`,
    );
  }
  return { body, seed: null, warnings: omissions.warnings, kept };
}

function topPOf(
  { model, temperature, topP }: TextRequest,
  omissions: Omissions,
): number | undefined {
  const sent = unlessNeutral(topP, 'topP');
  if (sent === undefined || temperature === undefined || !eitherSampling.test(model)) return sent;
  omissions.add('topP', 'This model takes either a temperature or top_p.');
  return undefined;
}

function toolFields(
  { model, tools = [], toolChoice = 'auto', parallelToolCalls, cachePrompt }: TextRequest,
  onlyInPrompt: Set<string>,
): { tools?: Block[]; tool_choice?: object } {
  if (tools.length === 0) return {};
  // The API refuses a forced call for these models.
  if (isForced(toolChoice) && alwaysReasons.test(model)) {
    const why = 'This model only supports the tool choices auto and none.';
    throw new UnsupportedError('toolChoice', why);
  }
  const wireTools = tools.map((tool) =>
    withBreakpoint(wireTool(tool, onlyInPrompt), cachePrompt && tool.cacheBreakpoint),
  );
  const single = parallelToolCalls === false && toolChoice !== 'none';
  if (toolChoice === 'auto' && !single) return { tools: wireTools };
  const choice = wireChoice(toolChoice);
  const tool_choice = single ? { ...choice, disable_parallel_tool_use: true } : choice;
  return { tools: wireTools, tool_choice };
}

function wireTool(
  { name, description, parameters, strict }: Tool,
  onlyInPrompt: Set<string>,
): Block {
  const schema = { type: 'object', ...parameters };
  const input_schema = strict ? enforceable(schema, onlyInPrompt) : schema;
  return { name, description, input_schema, ...(strict && { strict }) };
}

function wireChoice(choice: ToolChoice): object {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function outputConfig(
  { responseFormat }: TextRequest,
  effort: string | undefined,
  onlyInPrompt: Set<string>,
): object {
  const format = responseFormat && wireFormat(responseFormat, onlyInPrompt);
  if (format === undefined && effort === undefined) return {};
  return { output_config: { ...(effort && { effort }), ...(format && { format }) } };
}

function wireFormat(format: ResponseFormat, onlyInPrompt: Set<string>): object | undefined {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_schema') {
    return { type: 'json_schema', schema: enforceable(format.schema, onlyInPrompt) };
  }
  const why = 'The provider of this model only supports JSON with a schema: send a json_schema.';
  throw new UnsupportedError('responseFormat', why);
}
