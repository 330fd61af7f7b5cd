import { malformedAnswer } from '../shared/failures.ts';
import type { JsonRecord } from '../shared/wire.ts';
import { noUsage, speechTypes, type ImageAnswer, type SpeechRequest } from '../spec.ts';

export const SPEECH_PATH = '/audio/speech';

/** The body of `POST /audio/speech`. */
export function speechBody(request: SpeechRequest): JsonRecord {
  const { model, text, voice, format, speed, instructions } = request;
  return { model, input: text, voice, response_format: format, speed, instructions };
}

/** The answer is the audio alone, without usage. @throws ProviderError `failed` for an empty answer */
export function speechAnswer(bytes: Uint8Array, { format }: SpeechRequest): ImageAnswer {
  if (bytes.length === 0) throw malformedAnswer('it has no audio');
  return {
    bytes,
    contentType: speechTypes[format],
    providerMessageId: null,
    usage: noUsage,
    finishReason: 'stop',
    seed: null,
    warnings: [],
  };
}
