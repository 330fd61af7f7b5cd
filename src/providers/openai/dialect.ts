/** Where OpenAI's own servers and the many that speak its dialect differ. */

export const STANDARD_BASE_URL = 'https://api.openai.com/v1';

/** Servers that replaced `max_tokens`; the compatible ones mostly know the old name alone. */
const hostsWithNewTokenLimit: readonly string[] = ['api.openai.com'];

export type TokenLimitField = 'max_tokens' | 'max_completion_tokens';

export function tokenLimitFieldOf(baseUrl: string): TokenLimitField {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return hostsWithNewTokenLimit.includes(host) ? 'max_completion_tokens' : 'max_tokens';
}

/** The GPT image models always send base64 and refuse to be asked for it; the others must be asked. */
export function takesResponseFormat(model: string): boolean {
  return !model.toLowerCase().includes('gpt-image');
}
