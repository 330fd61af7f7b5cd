/** Where the servers of GigaChat differ. */

/** Serves the contracts made before `api.giga.chat`, and not the models after GigaChat 2. */
const FORMER_HOST = 'gigachat.devices.sberbank.ru';

export interface ServerTraits {
  /** Whether the server holds an answer to a JSON schema. */
  takesSchema: boolean;
  /** Whether its models can be told how long to reason. */
  takesEffort: boolean;
}

/** @param baseUrl any but the former standard address is taken for one of today */
export function traitsOf(baseUrl: string): ServerTraits {
  const isFormer = URL.parse(baseUrl)?.hostname === FORMER_HOST;
  return { takesSchema: !isFormer, takesEffort: !isFormer };
}
