/** Where OpenAI's own servers and the many that speak its dialect differ. */

export const STANDARD_BASE_URL = 'https://api.openai.com/v1';

const openAiHosts: readonly string[] = ['api.openai.com'];

export interface ServerTraits {
  /** OpenAI replaced `max_tokens`; the compatible servers mostly know the old name alone. */
  tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server knows the role `developer`. */
  knowsDeveloper: boolean;
}

export function traitsOf(baseUrl: string): ServerTraits {
  const isOpenAi = openAiHosts.includes(URL.parse(baseUrl)?.hostname ?? '');
  return {
    tokenLimitField: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    knowsDeveloper: isOpenAi,
  };
}

/** The GPT image models always send base64 and refuse to be asked for it; the others must be asked. */
export function takesResponseFormat(model: string): boolean {
  return !model.toLowerCase().includes('gpt-image');
}
