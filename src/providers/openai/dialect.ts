/** Where OpenAI's own servers and the many that speak its dialect differ. */

export const STANDARD_BASE_URL = 'https://api.openai.com/v1';

/**
 * OpenAI itself with its regions (`eu.api.openai.com`), and those that hand every field on to its models as it
 * came: Azure, by any of the names that a resource has there, and ProxyAPI's path of OpenAI.
 */
const openAiServers = [
  /^https:\/\/(?:[a-z]{2}\.)?api\.openai\.com(?:[:/]|$)/,
  /^https:\/\/[\w-]+\.(?:openai|cognitiveservices|services\.ai)\.azure\.com\/openai(?:\/|$)/,
  /^https:\/\/api\.proxyapi\.ru\/openai(?:\/|$)/,
];
/** Its servers (`api.eu.mistral.ai`, `codestral.mistral.ai`) refuse every field that they do not know. */
const MISTRAL = 'mistral.ai';
const thinkingHosts: readonly string[] = ['api.deepseek.com', 'api.moonshot.ai', 'api.moonshot.cn'];
/** Gemini's models in this dialect; those of the kind `gemini` are told of on their own. */
const GOOGLE = 'generativelanguage.googleapis.com';
/** Has regions below it: `us.api.x.ai`. */
const XAI = 'api.x.ai';

export interface ServerTraits {
  /** OpenAI replaced `max_tokens`; the compatible servers mostly know the old name alone. */
  tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server knows the role `developer`. */
  knowsDeveloper: boolean;
  /** Mistral has a name of its own for it. */
  seedField: 'seed' | 'random_seed';
  /** Whether the server takes an id of the end user; others refuse the call for it. */
  knowsUser: boolean;
  /** Whether a stream tells usage when asked only; Mistral's always does, and refuses to be asked. */
  asksForUsage: boolean;
  /**
   * Whether the server does unasked what a `top_p` of 1 and penalties of 0 ask for. Reasoning models of OpenAI
   * and xAI refuse even these, so they are left out there; elsewhere a model may have other defaults.
   */
  hasUsualDefaults: boolean;
  /**
   * Whether each earlier answer has to carry what the model thought, in `reasoning_content`: DeepSeek's V4 and
   * Kimi, which think by default, else refuse what follows, at the latest once a tool was called. Answers that
   * call tools tell them to the client; for what it does not bring back, a stand-in is sent.
   */
  wantsThoughts: boolean;
  /**
   * Whether what the model thought is counted within `total_tokens` alone, as Google's server does. Elsewhere a
   * total that is more than its parts may be anything: it is not charged.
   */
  thoughtsInTotalAlone: boolean;
  /** Whether every model may reason before it calls tools; those of OpenAI may not all. */
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
    asksForUsage: !isMistral,
    hasUsualDefaults: isOpenAi || isWithin(hostname, XAI),
    wantsThoughts: thinkingHosts.includes(hostname),
    thoughtsInTotalAlone: hostname === GOOGLE,
    reasonsWithTools: !isOpenAi,
  };
}

function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** The GPT image models always send base64 and refuse to be asked for it; the others must be asked. */
export function takesResponseFormat(model: string): boolean {
  return !model.toLowerCase().includes('gpt-image');
}
