/**
 * The address of a model in a folder: `yandexgpt` becomes `gpt://<folder>/yandexgpt`. One that is an
 * address already, e.g. of a model in another folder, stays as it is.
 */
export function modelUri(scheme: 'gpt' | 'emb' | 'art', folder: string, model: string): string {
  return model.includes('://') ? model : `${scheme}://${folder}/${model}`;
}
