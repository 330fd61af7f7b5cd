import { isForced } from '../shared/conversation.ts';
import { alwaysReasons, effortOfBudget, knownEffort } from '../shared/reasoning-effort.ts';
import type { Omissions } from '../shared/unsupported.ts';
import type { TextRequest, ReasoningMode } from '../spec.ts';

const efforts: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Reasoning tokens for each effort, for models that have a budget instead. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['low', 2_048],
  ['medium', 8_192],
  ['high', 16_384],
  ['xhigh', 32_000],
  ['max', 64_000],
]);
/** The API accepts no smaller budget, and only budgets below the output cap. */
const BUDGET_MIN = 1_024;

interface ReasoningSupport {
  /** `thinking: {"type": "adaptive"}` */
  adaptive: boolean;
  /** `thinking: {"type": "enabled", "budget_tokens"}` */
  budgets: boolean;
  /** `output_config.effort` */
  effort: boolean;
}

/** By the model's family and version. Undefined for models of other providers, which are sent the request as it is. */
function supportOf(model: string): ReasoningSupport | undefined {
  if (/^claude-(?:3-7|[23]-|instant)/.test(model)) {
    return { adaptive: false, budgets: model.startsWith('claude-3-7'), effort: false };
  }
  const [, family, major, minor = 0] =
    /^claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? [];
  if (family === undefined) return undefined;
  const version = Number(major) + Number(minor) / 100;
  return {
    adaptive: version >= (family === 'haiku' ? 5 : 4.06),
    budgets: version < (family === 'opus' ? 4.07 : 5),
    effort: version >= (family === 'opus' ? 4.05 : family === 'haiku' ? 5 : 4.06),
  };
}

interface WireReasoning {
  thinking?: object | undefined;
  effort?: string | undefined;
}

/** The fields `thinking` and `output_config.effort` that come closest to the request. */
export function reasoningFields(request: TextRequest, omissions: Omissions): WireReasoning {
  const { model, reasoningEffort: requested, reasoningMode } = request;
  const support = supportOf(model);
  const isOff = requested === 'none';
  const effort = isOff ? undefined : knownEffort(requested, efforts, omissions);
  const known = { ...request, reasoningEffort: isOff ? requested : effort };
  const given = reasoningMode ?? modeFor(known, support);
  const fitted = given && fit(given, { ...request, reasoningEffort: effort }, support, omissions);
  const effortToSend = effort ?? fitted?.effort;
  if (effortToSend === undefined || support?.effort !== false) {
    return { thinking: fitted?.thinking, effort: effortToSend };
  }
  // A budget has the same effect.
  if (fitted?.thinking === undefined) omissions.addAll('reasoningEffort');
  return { thinking: fitted?.thinking };
}

/** In interfaces without a field for the reasoning mode, an effort alone asks the model to reason. */
function modeFor(
  request: TextRequest,
  support: ReasoningSupport | undefined,
): ReasoningMode | undefined {
  const { model, reasoningEffort: effort, shownReasoning } = request;
  const { toolChoice = 'auto', temperature = 1, topP = 1 } = request;
  if (support === undefined) return undefined;
  // Models from Claude Opus 4.7 on leave out their reasoning unless asked for it.
  const isShown = shownReasoning?.summary !== undefined && support.adaptive;
  const display = isShown ? 'summarized' : undefined;
  if (alwaysReasons.test(model) && effort !== 'none') {
    return isShown ? { type: 'adaptive', display } : undefined;
  }
  if (effort === undefined) return undefined;
  if (effort === 'none') return support.adaptive ? { type: 'disabled' } : undefined;
  // The API refuses these together with reasoning.
  const isBound = isForced(toolChoice) || temperature !== 1 || topP !== 1;
  return isBound ? undefined : { type: 'adaptive', display };
}

function fit(
  given: ReasoningMode,
  request: TextRequest,
  support: ReasoningSupport | undefined,
  omissions: Omissions,
): WireReasoning {
  const { model, reasoningEffort: effort, maxOutputTokens } = request;
  switch (given.type) {
    case 'default':
      return {};
    case 'disabled':
      if (!alwaysReasons.test(model)) return { thinking: { type: 'disabled' } };
      omissions.add('reasoningMode', 'This model always reasons.');
      return {};
    case 'enabled': {
      const { budgetTokens, display } = given;
      if (support?.budgets !== false) {
        return { thinking: { type: 'enabled', budget_tokens: budgetTokens, display } };
      }
      const used = effort ?? effortOfBudget(budgetTokens);
      if (!support.adaptive) break;
      omissions.replace('This model has no budget for reasoning.', `the effort ${used}`);
      return { thinking: { type: 'adaptive', display }, effort: used };
    }
    case 'adaptive': {
      const { display } = given;
      if (support?.adaptive !== false) return { thinking: { type: 'adaptive', display } };
      const wanted = budgets.get(effort ?? 'medium') ?? BUDGET_MIN;
      const budget_tokens = Math.min(wanted, maxOutputTokens - 1);
      if (!support.budgets || budget_tokens < BUDGET_MIN) break;
      return { thinking: { type: 'enabled', budget_tokens, display } };
    }
  }
  const why = 'This model cannot reason, or not within so few output tokens.';
  // Otherwise the budget only stands for an effort.
  if (request.reasoningMode) omissions.add('reasoningMode', why);
  return {};
}
