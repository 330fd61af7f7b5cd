/**
 * What the models of each modality do, and which operation accepts them. A file declares the modality; it is never
 * guessed.
 */
export const uses = {
  text: 'writes texts: call /v1/chat/completions or /ai/send/',
  image: 'makes images: call /v1/images/generations or /ai/send/',
  completion: 'completes texts: call /v1/completions',
  embedding: 'makes embeddings: call /v1/embeddings',
  speech: 'speaks: call /v1/audio/speech',
  transcription: 'transcribes audio: call /v1/audio/transcriptions',
} as const;

export type Modality = keyof typeof uses;

export const modalities = Object.keys(uses) as [Modality, ...Modality[]];

/** The type of a model, in the specification's words. */
export type ModelType = 'TEXT' | 'IMAGE';

/** The modality of a model that declares none. */
export function usualModality(type: ModelType): Modality {
  return type === 'IMAGE' ? 'image' : 'text';
}

export function typeOf(modality: Modality): ModelType {
  return modality === 'image' ? 'IMAGE' : 'TEXT';
}

/**
 * Whether a model needs an output cap. A model that transcribes may be priced only by the second.
 * @param outputPrice of output tokens, in any unit
 */
export function needsOutputCap(modality: Modality, outputPrice: number): boolean {
  if (modality === 'transcription') return outputPrice > 0;
  return modality !== 'embedding' && modality !== 'speech';
}
