/** How OpenAI's own servers and compatible servers differ. */

export const STANDARD_BASE_URL = 'https://api.openai.com/v1';

/**
 * OpenAI with its regions (`eu.api.openai.com`), and servers that forward every field to OpenAI's models: Azure,
 * under each host name of a resource, and ProxyAPI's path for OpenAI.
 */
const openAiServers = [
  /^https:\/\/(?:[a-z]{2}\.)?api\.openai\.com(?:[:/]|$)/,
  /^https:\/\/[\w-]+\.(?:openai|cognitiveservices|services\.ai)\.azure\.com\/openai(?:\/|$)/,
  /^https:\/\/api\.proxyapi\.ru\/openai(?:\/|$)/,
];
/** Mistral's servers (`api.eu.mistral.ai`, `codestral.mistral.ai`) refuse unknown fields. */
const MISTRAL = 'mistral.ai';
const thinkingHosts: readonly string[] = ['api.deepseek.com', 'api.moonshot.ai', 'api.moonshot.cn'];
/** Serves Gemini's models in OpenAI's dialect; the kind `gemini` uses Google's own. */
const GOOGLE = 'generativelanguage.googleapis.com';
/** Regions are subdomains: `us.api.x.ai`. */
const XAI = 'api.x.ai';

export interface ServerTraits {
  /** OpenAI replaced `max_tokens`; most compatible servers only know the old name. */
  tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server knows the role `developer`. */
  knowsDeveloper: boolean;
  /** Mistral's name differs. */
  seedField: 'seed' | 'random_seed';
  /** Whether the server accepts an id of the end user; others refuse the call. */
  knowsUser: boolean;
  /** Whether a stream reports usage only if the request asks for it. Mistral always does, and refuses the field. */
  usageOnRequest: boolean;
  /**
   * Whether `top_p` is 1 and penalties are 0 by default. OpenAI's and xAI's reasoning models refuse even these
   * values, so they are not sent there; elsewhere a model can have other defaults.
   */
  hasUsualDefaults: boolean;
  /**
   * Whether earlier answers must include the model's thoughts, in `reasoning_content`. DeepSeek V4 and Kimi think
   * by default and refuse a conversation without them, at the latest after a tool call. Answers with tool calls
   * pass the thoughts to the client; a placeholder is sent for thoughts that the client does not return.
   */
  wantsThoughts: boolean;
  /**
   * Whether only `total_tokens` includes what the model thought, as on Google's server. Elsewhere the meaning of a
   * total above the sum of its parts is unknown, so the difference is not charged.
   */
  thoughtsInTotalAlone: boolean;
  /** Whether every model can reason before it calls tools; some of OpenAI's cannot. */
  reasonsWithTools: boolean;
}

export function traitsOf(baseUrl: string): ServerTraits {
  const { hostname = '', href = '' } = URL.parse(baseUrl) ?? {};
  const isOpenAi = openAiServers.some((server) => server.test(href));
  const isMistral = isWithin(hostname, MISTRAL);
  return {
    tokenLimitField: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    knowsDeveloper: isOpenAi,
    seedField: isMistral ? 'random_seed' : 'seed',
    knowsUser: !isMistral,
    usageOnRequest: !isMistral,
    hasUsualDefaults: isOpenAi || isWithin(hostname, XAI),
    wantsThoughts: thinkingHosts.includes(hostname),
    thoughtsInTotalAlone: hostname === GOOGLE,
    reasonsWithTools: !isOpenAi,
  };
}

function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
