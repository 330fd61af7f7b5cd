import { OPENAI_BASE_URL, traitsOf, type ServerTraits } from './dialect.ts';
import { placeOf, type Place } from './place.ts';

/** Where a server of the kind `openai` has its operations, and how it differs from others. */
export interface Server {
  place: Place;
  traits: ServerTraits;
  /** Whether all texts go to OpenAI's Responses API, or none; undefined: only those that need it. */
  api: 'chat' | 'responses' | undefined;
}

/** @param options the catalogue's options for the kind `openai` */
export function serverOf({
  baseUrl = OPENAI_BASE_URL,
  options = {},
}: {
  baseUrl?: string | undefined;
  options?: Readonly<Record<string, string>> | undefined;
}): Server {
  const { server, api, api_version: apiVersion } = options;
  const place = placeOf(baseUrl, apiVersion);
  // Azure's older interface forwards every field to OpenAI's models under any address, and lacks the Responses API.
  const isAzure = apiVersion !== undefined;
  const traits = traitsOf(isAzure ? OPENAI_BASE_URL : place.baseUrl, server);
  return {
    place,
    traits: isAzure ? { ...traits, hasResponses: false } : traits,
    api: api === 'chat' || api === 'responses' ? api : undefined,
  };
}
