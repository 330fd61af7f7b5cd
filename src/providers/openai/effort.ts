import { requestedEffort, knownEffort, reasonsByName } from '../shared/reasoning-effort.ts';
import type { Omissions } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';
import type { RefusedHints } from './hints.ts';

/** The fields of a body that say how much the model should reason and write. */
interface HintFields {
  reasoning_effort?: string | undefined;
  thinking?: { type: 'enabled' | 'disabled' } | undefined;
  verbosity?: string | undefined;
}

/** The fields about reasoning and verbosity, without values that the server has refused. */
export function hintFields(
  request: TextRequest,
  traits: ServerTraits,
  refused: RefusedHints,
  omissions: Omissions,
): HintFields {
  const fields = effortFields(request, traits, omissions);
  if (traits.knowsVerbosity) fields.verbosity = request.verbosity;
  else omissions.addAll('verbosity');
  return refused.withoutRefused(request.model, fields, omissions);
}

function effortFields(
  request: TextRequest,
  { efforts }: ServerTraits,
  omissions: Omissions,
): HintFields {
  switch (efforts) {
    case 'openai':
      return { reasoning_effort: effortForOpenAi(request, omissions) };
    case 'mistral':
      return { reasoning_effort: effortForMistral(request, omissions) };
    case 'deepseek':
      return switched(request, deepSeekWords);
    case 'switch':
      return switched(request, {});
    case 'ollama':
      return { reasoning_effort: knownEffort(requestedEffort(request), ollamaEfforts, omissions) };
    case 'any':
      return { reasoning_effort: effortElsewhere(request, omissions) };
  }
}

/** Ollama accepts these as `think`, and refuses others. */
const ollamaEfforts: readonly string[] = ['none', 'low', 'medium', 'high'];

/** GPT-5.4 and later, except those that do not reason (`gpt-5.5-chat-latest`). */
const recent = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])(?!.*chat)/;
/** GPT-5.5 and later reason by default. */
const reasonsByDefault = /^gpt-(?:5\.(?:[5-9]|\d\d)|[6-9])/;
/** GPT-5.1 and later know the effort `none`; GPT-5 has `minimal` as its least. */
const knowsNone = /^gpt-(?:5\.\d|[6-9])(?!.*chat)/;
const knowsMinimal = /^gpt-5(?![.\d])(?!.*(?:chat|pro|codex))/;

/** These always reason. */
const withoutNone = /^gpt-6(?:-astra|\.1-sol)/;

/** Whether the model's tools need the Responses API so that it can reason before it calls them. */
export function needsResponses({ model, tools = [] }: TextRequest): boolean {
  return tools.length > 0 && recent.test(model);
}

/** The effort for the Responses API, which accepts tools with every effort. */
export function effortOfOpenAi(request: TextRequest, omissions: Omissions): string | undefined {
  const { model, reasoningMode: mode } = request;
  const effort =
    mode?.type === 'disabled' ? leastEffort(model, omissions) : requestedEffort(request);
  if (effort !== 'none' || !withoutNone.test(model)) return effort;
  omissions.replace('This model always reasons.', 'low');
  return 'low';
}

/**
 * For its recent models, OpenAI's chat completions accept tools only with the effort `none`. A call without an effort
 * is refused too if the model reasons by default.
 */
function effortForOpenAi(request: TextRequest, omissions: Omissions): string | undefined {
  const { model, tools = [] } = request;
  const effort = effortOfOpenAi(request, omissions);
  if (tools.length === 0 || effort === 'none' || !recent.test(model)) return effort;
  if (effort === undefined && !reasonsByDefault.test(model)) return undefined;
  const why = 'OpenAI accepts tools for this model only with the reasoning effort none.';
  omissions.replace(why, 'none');
  return 'none';
}

/** The effort with which an OpenAI model reasons least, or not at all. Undefined for models that do not reason. */
function leastEffort(model: string, omissions: Omissions): string | undefined {
  if (knowsNone.test(model)) return 'none';
  if (knowsMinimal.test(model)) return 'minimal';
  warnOfReasoning(model, omissions);
  return undefined;
}

function effortElsewhere(request: TextRequest, omissions: Omissions): string | undefined {
  if (request.reasoningMode?.type !== 'disabled') return requestedEffort(request);
  warnOfReasoning(request.model, omissions);
  return undefined;
}

function warnOfReasoning(model: string, omissions: Omissions): void {
  if (!reasonsByName(model)) return;
  omissions.add('reasoningMode', 'The reasoning of this model cannot be switched off here.');
}

/** https://docs.mistral.ai/inference/conversations/reasoning: these models can be asked to reason, or not to. */
const mistralReasoners: readonly [models: RegExp, efforts: readonly string[]][] = [
  [/^mistral-(?:small-(?:2603|latest)|medium-(?:3[.-]5|2604|latest))$/, ['none', 'high']],
  [/^mistral-large-4(?:-0)?$/, ['none', 'low', 'medium', 'high']],
];

function effortForMistral(request: TextRequest, omissions: Omissions): string | undefined {
  const effort = requestedEffort(request);
  const known = mistralReasoners.find(([models]) => models.test(request.model))?.[1];
  if (known) return knownEffort(effort, known, omissions);
  // A model that can't be asked to reason, or always reasons, isn't asked to stop either.
  const requested = effort === 'none' ? undefined : effort;
  omissions.addIf(requested, 'reasoningEffort', 'This model does not support reasoning efforts.');
  return undefined;
}

/** DeepSeek's names for efforts that it calls differently: its documentation, "Thinking Mode". */
const deepSeekWords: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'max' };

/** For models that reason unless it is switched off, and have no efforts. */
function switched(request: TextRequest, words: Readonly<Record<string, string>>): HintFields {
  const effort = requestedEffort(request);
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const mode = request.reasoningMode?.type;
  const isOn = mode === 'enabled' || mode === 'adaptive';
  return {
    ...(effort !== undefined && { reasoning_effort: words[effort] ?? effort }),
    ...(isOn && { thinking: { type: 'enabled' } }),
  };
}
