/** How OpenAI's own servers and compatible servers differ. */

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/**
 * OpenAI with its regions (`eu.api.openai.com`), and servers that forward every field to OpenAI's models: Azure, under
 * all host names of its resources, and ProxyAPI's path for OpenAI.
 */
const openAiServers = [
  /^https:\/\/(?:[a-z]{2}\.)?api\.openai\.com(?:[:/]|$)/,
  /^https:\/\/[\w-]+\.(?:openai|cognitiveservices|services\.ai)\.azure\.com\/openai(?:\/|$)/,
  /^https:\/\/api\.proxyapi\.ru\/openai(?:\/|$)/,
];
/** Mistral's servers (`api.eu.mistral.ai`, `codestral.mistral.ai`) refuse unknown fields. */
const MISTRAL = 'mistral.ai';
/** Mistral refuses other ids of tool calls: "must be a-z, A-Z, 0-9, with a length of 9". */
const mistralCallIds = /^[A-Za-z0-9]{9}$/;
/** OpenAI refuses longer ids in chat completions. */
const openAiCallIds = /^.{1,40}$/s;
const DEEPSEEK = 'api.deepseek.com';
const kimiHosts: readonly string[] = ['api.moonshot.ai', 'api.moonshot.cn'];
const glmHosts: readonly string[] = ['api.z.ai', 'open.bigmodel.cn'];
/** Serves Gemini's models in OpenAI's dialect; the kind `gemini` uses Google's own. */
const GOOGLE = 'generativelanguage.googleapis.com';
const OPENROUTER = 'openrouter.ai';
/** The port of Ollama, whose host the operator chooses. */
const OLLAMA_PORT = '11434';
/** Regions are subdomains: `us.api.x.ai`. */
const XAI = 'api.x.ai';
export interface ServerTraits {
  /** OpenAI replaced `max_tokens`; most compatible servers only know the old name. */
  tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server knows the role `developer`. */
  knowsDeveloper: boolean;
  /** Mistral's names differ. */
  seedField: 'seed' | 'random_seed';
  dimensionsField: 'dimensions' | 'output_dimension';
  /** Whether the server accepts an id of the end user; other servers refuse the call. */
  knowsUser: boolean;
  /**
   * Whether a stream reports usage only if the request asks for it. Mistral always does, and refuses the field; Yandex
   * does for some models, and does not support it.
   */
  usageOnRequest: boolean;
  /**
   * Whether `top_p` is 1 and penalties are 0 by default. OpenAI's and xAI's reasoning models refuse even these
   * values, so they are not sent there; elsewhere a model can have other defaults.
   */
  hasUsualDefaults: boolean;
  /**
   * Whether earlier answers are sent with the model's reasoning, in `reasoning_content`. DeepSeek V4 and Kimi reason by
   * default and refuse a conversation without it, at the latest after a tool call: a placeholder is sent for reasoning
   * that the client does not return. GLM wants them with the results of tools, and does without:
   * https://docs.z.ai/guides/capabilities/thinking-mode.
   */
  earlierReasoning: 'required' | 'taken' | 'none';
  /** Whether this is the server of Kimi K2.5 and later, whose sampling is fixed: https://platform.kimi.ai/docs/api/models-overview. */
  isKimi: boolean;
  /**
   * Whether only `total_tokens` includes reasoning tokens, as on Google's server. Elsewhere the meaning of a total
   * above the sum of its parts is unknown, so the difference is not charged.
   */
  reasoningTokensInTotalAlone: boolean;
  /** Whether the server passes `verbosity` on to OpenAI's models. */
  knowsVerbosity: boolean;
  /** Whether the embedding models use the vocabulary cl100k_base. With another vocabulary, the numbers mean other texts. */
  takesTokens: boolean;
  /** The efforts that the server knows, see `effort.ts`. `any`: every word is passed on. */
  efforts: 'openai' | 'mistral' | 'deepseek' | 'switch' | 'ollama' | 'any';
  /** Whether the server accepts a JSON schema for the answer. */
  knowsSchemas: boolean;
  /** Whether the server has OpenAI's Responses API for OpenAI's models. */
  hasResponses: boolean;
  /** What must be sent back with the results of a model's calls, see `kept-calls.ts`. */
  wantsBack: 'signatures' | 'details' | 'nothing';
  /** Whether a model of the server takes images. */
  images: boolean;
  /** How the server accepts PDF files: like OpenAI, under Mistral's name, or not at all. */
  files: 'openai' | 'mistral' | 'none';
  /** The ids of tool calls that the server accepts; undefined: any. */
  callIds: RegExp | undefined;
  /** Ollama silently ignores `tool_choice`, and accepts images only as bytes. */
  isOllama: boolean;
}

/** @param server the option of that name: the server software, for an address that does not show it */
export function traitsOf(baseUrl: string, server?: string): ServerTraits {
  const { hostname = '', href = '', port = '' } = URL.parse(baseUrl) ?? {};
  const isOpenAi = openAiServers.some((address) => address.test(href));
  const isMistral = isWithin(hostname, MISTRAL);
  const isOllama = server === 'ollama' || port === OLLAMA_PORT;
  return {
    tokenLimitField: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    knowsDeveloper: isOpenAi,
    seedField: isMistral ? 'random_seed' : 'seed',
    dimensionsField: isMistral ? 'output_dimension' : 'dimensions',
    knowsUser: !isMistral,
    usageOnRequest: !isMistral,
    hasUsualDefaults: isOpenAi || isWithin(hostname, XAI),
    earlierReasoning: earlierReasoningAt(hostname),
    isKimi: kimiHosts.includes(hostname),
    reasoningTokensInTotalAlone: hostname === GOOGLE,
    knowsVerbosity: isOpenAi || hostname === OPENROUTER,
    takesTokens: isOpenAi,
    efforts: effortsOf(hostname, { isOpenAi, isMistral, isOllama }),
    knowsSchemas: hostname !== DEEPSEEK,
    hasResponses: isOpenAi,
    wantsBack: hostname === GOOGLE ? 'signatures' : hostname === OPENROUTER ? 'details' : 'nothing',
    images: hostname !== DEEPSEEK,
    files: isMistral ? 'mistral' : isOpenAi || hostname === OPENROUTER ? 'openai' : 'none',
    callIds: isMistral ? mistralCallIds : isOpenAi ? openAiCallIds : undefined,
    isOllama,
  };
}

function effortsOf(
  hostname: string,
  is: { isOpenAi: boolean; isMistral: boolean; isOllama: boolean },
): ServerTraits['efforts'] {
  if (is.isOpenAi) return 'openai';
  if (is.isMistral) return 'mistral';
  if (is.isOllama) return 'ollama';
  if (hostname === DEEPSEEK) return 'deepseek';
  // Reasoning is on or off there.
  return kimiHosts.includes(hostname) || glmHosts.includes(hostname) ? 'switch' : 'any';
}

function earlierReasoningAt(hostname: string): ServerTraits['earlierReasoning'] {
  if (hostname === DEEPSEEK || kimiHosts.includes(hostname)) return 'required';
  return glmHosts.includes(hostname) ? 'taken' : 'none';
}

function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
