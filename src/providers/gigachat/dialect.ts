/** How GigaChat's servers differ. */

/** Serves older contracts; it has no models after GigaChat 2. */
const FORMER_HOST = 'gigachat.devices.sberbank.ru';

export interface ServerTraits {
  /** Whether the server supports JSON schemas for answers. */
  supportsSchema: boolean;
  /** Whether the server supports reasoning efforts. */
  supportsEffort: boolean;
}

/** @param baseUrl any address except the former standard one counts as a current server */
export function traitsOf(baseUrl: string): ServerTraits {
  const isFormer = URL.parse(baseUrl)?.hostname === FORMER_HOST;
  return { supportsSchema: !isFormer, supportsEffort: !isFormer };
}
