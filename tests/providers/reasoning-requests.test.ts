/** The caller's settings for reasoning and verbosity, in the fields of each provider and model. */
import { describe, expect, test } from 'bun:test';
import { messagesBody } from '../../src/providers/anthropic/request.ts';
import { generateBody } from '../../src/providers/gemini/request.ts';
import { SignatureStore } from '../../src/providers/gemini/signatures.ts';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { RefusedHints } from '../../src/providers/openai/hints.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { ProviderError, type TextRequest } from '../../src/providers/spec.ts';
import { textRequest } from './fixtures.ts';

type Settings = Partial<TextRequest>;
const off: Settings = { reasoningMode: { type: 'disabled' } };
const adaptive: Settings = { reasoningMode: { type: 'adaptive' } };
const byDefault = { type: 'default' } as const;
const budget = (budgetTokens: number): Settings => ({
  reasoningMode: { type: 'enabled', budgetTokens },
});
const effort = (reasoningEffort: string): Settings => ({ reasoningEffort });
/** A strict request: hints are never refused. */
const requestFor = (model: string, settings: Settings): TextRequest => ({
  ...textRequest,
  maxOutputTokens: 20_000,
  refuseUnsupported: true,
  model,
  ...settings,
});

describe('Anthropic', () => {
  const on = { type: 'adaptive' };
  const tokens = (budget_tokens: number) => ({ type: 'enabled', budget_tokens });
  const tools = [{ name: 'f' }];

  test.each<
    [model: string, settings: Settings, thinking: unknown, effort: unknown, warnings: number]
  >([
    // As requested, if the model supports it.
    ['claude-sonnet-4-5', budget(2_000), tokens(2_000), undefined, 0],
    ['claude-opus-4-6', budget(2_000), tokens(2_000), undefined, 0],
    ['claude-opus-4-6', adaptive, on, undefined, 0],
    ['claude-opus-4-8', off, { type: 'disabled' }, undefined, 0],
    ['minimax-m3', budget(2_000), tokens(2_000), undefined, 0],
    ['minimax-m3', adaptive, on, undefined, 0],
    [
      'claude-opus-4-8',
      { reasoningMode: { type: 'adaptive', display: 'summarized' } },
      { ...on, display: 'summarized' },
      undefined,
      0,
    ],
    // A budget if the model takes none, and vice versa.
    ['claude-opus-4-7', budget(2_000), on, 'low', 1],
    ['claude-sonnet-5', budget(10_000), on, 'medium', 1],
    ['claude-fable-5', { ...budget(10_000), ...effort('max') }, on, 'max', 1],
    ['claude-sonnet-4-5-20250929', adaptive, tokens(8_192), undefined, 0],
    ['claude-haiku-4-5', { ...adaptive, ...effort('high') }, tokens(16_384), undefined, 0],
    ['claude-haiku-4-5', { ...adaptive, maxOutputTokens: 2_000 }, tokens(1_999), undefined, 0],
    ['claude-haiku-4-5', { ...adaptive, maxOutputTokens: 1_000 }, undefined, undefined, 1],
    ['claude-3-5-haiku-latest', adaptive, undefined, undefined, 1],
    ['claude-3-7-sonnet-latest', adaptive, tokens(8_192), undefined, 0],
    ['claude-opus-5-5', off, undefined, undefined, 1],
    // An effort alone, from Anthropic's clients and from OpenAI's.
    ['claude-opus-4-8', { ...effort('low'), reasoningMode: byDefault }, undefined, 'low', 0],
    ['claude-haiku-4-5', { ...effort('low'), reasoningMode: byDefault }, undefined, undefined, 1],
    ['claude-opus-4-8', effort('low'), on, 'low', 0],
    ['claude-opus-4-8', effort('minimal'), on, 'low', 1],
    ['claude-opus-4-8', effort('none'), { type: 'disabled' }, undefined, 0],
    ['claude-opus-5-5', effort('high'), undefined, 'high', 0],
    ['claude-sonnet-4-5', effort('low'), tokens(2_048), undefined, 0],
    ['claude-opus-4-5', effort('low'), tokens(2_048), 'low', 0],
    ['claude-sonnet-4-5', effort('none'), undefined, undefined, 0],
    ['claude-opus-4-8', effort('enormous'), undefined, undefined, 1],
    ['minimax-m3', effort('low'), undefined, 'low', 0],
    // The API refuses these together with reasoning.
    ['claude-opus-4-8', { ...effort('low'), temperature: 0.5 }, undefined, 'low', 0],
    ['claude-opus-4-8', { ...effort('low'), tools, toolChoice: 'required' }, undefined, 'low', 0],
  ])('%s, with %j', (model, settings, thinking, level, count) => {
    const { body, warnings } = messagesBody(requestFor(model, settings), false);
    const { thinking: sent, output_config: config } = JSON.parse(JSON.stringify(body)) as {
      thinking?: unknown;
      output_config?: { effort?: unknown };
    };
    expect({ thinking: sent, effort: config?.effort }).toEqual({ thinking, effort: level });
    expect(warnings).toHaveLength(count);
  });
});

describe('Gemini', () => {
  const level = (thinkingLevel: string) => ({ thinkingLevel });
  const tokens = (thinkingBudget: number) => ({ thinkingBudget });

  test.each<[model: string, settings: Settings, config: unknown, warnings: number]>([
    ['gemini-2.5-flash', budget(5_000), tokens(5_000), 0],
    ['gemini-2.5-flash', budget(50_000), tokens(24_576), 1],
    ['gemini-2.5-flash', adaptive, tokens(-1), 0],
    ['gemini-2.5-flash', off, tokens(0), 0],
    ['gemini-2.5-pro', off, tokens(128), 1],
    ['gemini-2.5-pro', effort('none'), tokens(128), 1],
    ['gemini-2.5-flash-lite', budget(100), tokens(512), 1],
    ['gemini-2.5-pro', effort('xhigh'), tokens(24_576), 1],
    ['gemini-3-flash-preview', budget(2_000), level('LOW'), 0],
    ['gemini-3-flash-preview', budget(30_000), level('HIGH'), 0],
    ['gemini-3-flash-preview', adaptive, undefined, 0],
    ['gemini-3-flash-preview', off, level('MINIMAL'), 1],
    ['gemini-3.1-pro-preview', effort('none'), level('LOW'), 1],
    ['gemini-3.1-pro-preview', effort('max'), level('HIGH'), 1],
    ['gemini-3.1-pro-preview', effort('enormous'), undefined, 1],
    ['gemini-2.0-flash', effort('low'), undefined, 1],
    ['gemini-2.0-flash', off, undefined, 0],
    ['gemini-3-flash-preview', { verbosity: 'low' }, undefined, 1],
    ['gemini-3-flash-preview', { verbosity: 'medium' }, undefined, 0],
  ])('%s, with %j', (model, settings, config, count) => {
    const signatures = new SignatureStore().forModel(model);
    const { body, warnings } = generateBody(requestFor(model, settings), signatures);
    expect(body.generationConfig.thinkingConfig).toEqual(config as Record<string, unknown>);
    expect(warnings).toHaveLength(count);
  });
});

describe('OpenAI and its likes', () => {
  const openAi = 'https://api.openai.com/v1';
  const elsewhere = 'https://example.com/v1';
  const deepSeek = 'https://api.deepseek.com/v1';
  const ollama = 'http://127.0.0.1:11434/v1';
  const reasons = (reasoning_effort: string) => ({ reasoning_effort });
  const switched = (type: string) => ({ thinking: { type } });

  test.each<[url: string, model: string, settings: Settings, fields: object, warnings: number]>([
    [openAi, 'gpt-5-mini', effort('minimal'), reasons('minimal'), 0],
    [openAi, 'gpt-5-mini', budget(2_000), reasons('low'), 0],
    [openAi, 'gpt-5-mini', budget(9_000), reasons('medium'), 0],
    [openAi, 'gpt-5-mini', budget(20_000), reasons('high'), 0],
    [openAi, 'gpt-5-mini', { ...budget(20_000), ...effort('low') }, reasons('low'), 0],
    [openAi, 'gpt-5-mini', adaptive, {}, 0],
    [openAi, 'gpt-5-mini', off, reasons('minimal'), 0],
    [openAi, 'gpt-5.2', off, reasons('none'), 0],
    [openAi, 'gpt-4.1', off, {}, 0],
    [openAi, 'o4-mini', off, {}, 1],
    [openAi, 'gpt-5-mini', { verbosity: 'low' }, { verbosity: 'low' }, 0],
    [
      'https://openrouter.ai/api/v1',
      'openai/gpt-5',
      { verbosity: 'high' },
      { verbosity: 'high' },
      0,
    ],
    [elsewhere, 'm', { verbosity: 'low' }, {}, 1],
    [elsewhere, 'm', { verbosity: 'medium' }, {}, 0],
    [elsewhere, 'm', effort('high'), reasons('high'), 0],
    [elsewhere, 'm', off, {}, 0],
    [deepSeek, 'deepseek-v4', off, switched('disabled'), 0],
    [deepSeek, 'deepseek-v4', effort('none'), switched('disabled'), 0],
    [deepSeek, 'deepseek-v4', adaptive, switched('enabled'), 0],
    [deepSeek, 'deepseek-v4', budget(20_000), { ...switched('enabled'), ...reasons('high') }, 0],
    [deepSeek, 'deepseek-v4', effort('high'), reasons('high'), 0],
    [ollama, 'qwen3', effort('minimal'), reasons('low'), 1],
    [ollama, 'qwen3', effort('xhigh'), reasons('high'), 1],
    [ollama, 'qwen3', off, reasons('none'), 0],
    ['https://api.z.ai/api/paas/v4', 'glm-5', off, switched('disabled'), 0],
    ['https://api.mistral.ai/v1', 'mistral-large-4', effort('minimal'), reasons('low'), 1],
    ['https://api.mistral.ai/v1', 'ministral-3', effort('low'), {}, 1],
  ])('%s %s, with %j', (url, model, settings, fields, count) => {
    const { body, warnings } = chatBody(requestFor(model, settings), traitsOf(url), false);
    const { reasoning_effort, thinking, verbosity } = body;
    const sent = JSON.parse(JSON.stringify({ reasoning_effort, thinking, verbosity })) as object;
    expect(sent).toEqual(fields);
    expect(warnings).toHaveLength(count);
  });

  test.each([
    ["Unsupported parameter: 'verbosity' is not supported with this model.", 'verbosity'],
    [
      "Unsupported value: 'reasoning_effort' does not support 'low' with this model.",
      'reasoning_effort',
    ],
    ['Unrecognized request argument supplied: reasoning_effort', 'reasoning_effort'],
    ['Model grok-4 does not support parameter reasoningEffort.', 'reasoning_effort'],
    ['body.verbosity: Extra inputs are not permitted', 'verbosity'],
    ['"llama3.2" does not support thinking', 'reasoning_effort'],
  ])('a hint refused by “%s” is left out from then on', (message, hint) => {
    const refused = new RefusedHints();
    const failure = (accepted: boolean) =>
      new ProviderError('failed', 'no', { accepted, reported: { message }, refusal: { message } });
    const call = (settings: Settings) =>
      chatBody(requestFor('gpt-4o', settings), traitsOf(openAi), false, { refused });
    const settings = { ...effort('low'), verbosity: 'low' };
    expect(refused.learn(call(settings).body, failure(true))).toBe(false);
    expect(refused.learn(call(settings).body, failure(false))).toBe(true);
    const { body, warnings } = call(settings);
    expect(body[hint]).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining(`refuses the ${hint} low for this model`)]);
    // Once is enough, and other values are not affected.
    expect(refused.learn(body, failure(false))).toBe(false);
    expect(call({ ...effort('high'), verbosity: 'high' }).body[hint]).toBe('high');
  });

  test('another refusal is not about hints', () => {
    const message = "Unsupported value: 'temperature' does not support 0.2 with this model.";
    const failure = new ProviderError('failed', 'no', {
      accepted: false,
      reported: { message },
      refusal: { message },
    });
    const { body } = chatBody(requestFor('gpt-5', effort('low')), traitsOf(openAi), false);
    expect(new RefusedHints().learn(body, failure)).toBe(false);
  });
});
