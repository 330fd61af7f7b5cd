import { decodePassed } from '../../lib/passed-texts.ts';
import { withParts } from '../shared/parts.ts';
import { requestedEffort, knownEffort } from '../shared/reasoning-effort.ts';
import { Omissions, type Converted } from '../shared/unsupported.ts';
import type { Message, ResponseFormat, TextRequest, ToolChoice } from '../spec.ts';
import { prompt, type ModelTraits } from './prompt.ts';
import type { CallOptions } from './specification.ts';

const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * A package reports unsupported settings only with its answer, so these become warnings even if the caller wants them
 * refused. Settings that are not in the specification can be refused here.
 */
export function languageOptions(
  request: TextRequest,
  model: ModelTraits,
  call: CallOptions,
): Converted<CallOptions> {
  const omissions = new Omissions(request);
  omissions.addAll('parallelToolCalls', 'verbosity');
  const { temperature, topP, frequencyPenalty, presencePenalty } = request;
  const seed = omissions.seed(request.seed, Number.isSafeInteger, 'whole numbers');
  const reasoning = effortOf(request, model, omissions);
  const body = {
    ...call,
    prompt: prompt(wholeMessages(request), model),
    maxOutputTokens: request.maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== null && { seed }),
    ...(request.stop?.length && { stopSequences: [...request.stop] }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(reasoning !== undefined && { reasoning }),
    ...(request.responseFormat && { responseFormat: sdkFormat(request.responseFormat) }),
    ...toolOptions(request),
  };
  return { body, seed, warnings: omissions.warnings };
}

/** A package reads images and files, so they are decoded. */
function wholeMessages({ messages, passed }: TextRequest): readonly Message[] {
  if (!passed) return messages;
  return withParts(messages, (part) => ({ ...part, url: decodePassed(passed, part.url) }));
}

function toolOptions({ tools = [], toolChoice }: TextRequest): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      name,
      inputSchema: parameters ?? { type: 'object', properties: {} },
      ...(description !== undefined && { description }),
      ...(strict !== undefined && { strict }),
    })),
    ...(toolChoice !== undefined && { toolChoice: sdkChoice(toolChoice) }),
  };
}

function effortOf(
  request: TextRequest,
  { version }: ModelTraits,
  omissions: Omissions,
): string | undefined {
  const effort = requestedEffort(request);
  if (version === 'v4') return knownEffort(effort, efforts, omissions);
  if (effort !== 'none') {
    const why = 'This provider does not support reasoning efforts.';
    omissions.addIf(effort, 'reasoningEffort', why);
  }
  return undefined;
}

function sdkFormat(format: ResponseFormat): unknown {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'json_object') return { type: 'json' };
  const { name, description, schema } = format;
  return { type: 'json', name, schema, ...(description !== undefined && { description }) };
}

function sdkChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name };
}
