/**
 * The URI of a model in a folder: `yandexgpt` becomes `gpt://<folder>/yandexgpt`. A name that is already a URI,
 * e.g. of a model in another folder, is not changed.
 */
export function modelUri(scheme: 'gpt' | 'emb' | 'art', folder: string, model: string): string {
  return model.includes('://') ? model : `${scheme}://${folder}/${model}`;
}
