import { LeftOut } from '../shared/unsupported.ts';
import type { ResponseFormat, TextRequest, ToolChoice } from '../spec.ts';
import { prompt, type ModelTraits } from './prompt.ts';
import type { CallOptions, LanguageOptions } from './specification.ts';

export interface Asked {
  options: LanguageOptions;
  /** The seed that was sent. */
  seed: number | null;
  warnings: string[];
}

const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * What of a request a package can't take, it tells only with its answer: that is named in `warnings`, also
 * where the caller would have it refused. What the specification itself has no word for is refused.
 */
export function languageOptions(
  request: TextRequest,
  model: ModelTraits,
  call: CallOptions,
): Asked {
  const leftOut = new LeftOut(request);
  if (request.parallelToolCalls === false) {
    leftOut.add('parallelToolCalls', 'This provider can not hold a model to one tool call.');
  }
  const { temperature, topP, frequencyPenalty, presencePenalty, tools = [] } = request;
  const seed = leftOut.seed(request.seed, Number.isSafeInteger, 'whole numbers');
  const reasoning = effortOf(request, model, leftOut);
  const options: LanguageOptions = {
    ...call,
    prompt: prompt(request.messages, model),
    maxOutputTokens: request.maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== null && { seed }),
    ...(request.stop?.length && { stopSequences: [...request.stop] }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(reasoning !== undefined && { reasoning }),
    ...(request.responseFormat && { responseFormat: sdkFormat(request.responseFormat) }),
  };
  if (tools.length > 0) {
    options.tools = tools.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      name,
      inputSchema: parameters ?? { type: 'object', properties: {} },
      ...(description !== undefined && { description }),
      ...(strict !== undefined && { strict }),
    }));
    if (request.toolChoice !== undefined) options.toolChoice = sdkChoice(request.toolChoice);
  }
  return { options, seed, warnings: leftOut.warnings };
}

function effortOf(
  { reasoningEffort }: TextRequest,
  { version }: ModelTraits,
  leftOut: LeftOut,
): string | undefined {
  if (reasoningEffort === undefined) return undefined;
  const known = version === 'v3' ? [] : efforts;
  if (known.includes(reasoningEffort)) return reasoningEffort;
  const list = known.length === 0 ? 'none' : `${known.join(', ')} only`;
  leftOut.add('reasoningEffort', `Of reasoning efforts this provider knows ${list}.`);
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
