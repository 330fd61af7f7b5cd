import { z } from 'zod';
import { formOf } from '../shared/files.ts';
import { anything, asRecord, list, readWire, storable, tokenCount } from '../shared/wire.ts';
import { noUsage, type TranscriptAnswer, type TranscriptionRequest, type Usage } from '../spec.ts';
import { readUsage } from './usage.ts';

export const TRANSCRIPTION_PATH = '/audio/transcriptions';

/**
 * The form of `POST /audio/transcriptions`. Subtitles and plain text are made from the JSON: only there does the
 * provider report what it bills.
 */
export function transcriptionForm(request: TranscriptionRequest): FormData {
  const { model, file, language, prompt, temperature, isTimed, granularities = [] } = request;
  const format = isTimed ? 'verbose_json' : 'json';
  const fields = { model, language, prompt, temperature, response_format: format };
  const form = formOf(fields, [['file', file]]);
  for (const one of granularities) form.append('timestamp_granularities[]', one);
  return form;
}

const wireTranscript = z.object({
  text: z.string(),
  language: anything,
  duration: anything,
  segments: list,
  words: list,
  usage: anything,
});
const wireSegment = z.looseObject({ start: z.number(), end: z.number(), text: z.string() });

/** @throws ProviderError `failed` if the body is not a transcript */
export function readTranscript(body: unknown): TranscriptAnswer {
  const { text, language, duration, segments, words, usage } = readWire(wireTranscript, body);
  const timed = segments?.flatMap((segment) => wireSegment.safeParse(segment).data ?? []);
  return {
    text: storable(text),
    toolCalls: [],
    providerMessageId: null,
    usage: transcriptUsage(usage, duration),
    finishReason: 'stop',
    seed: null,
    warnings: [],
    transcript: {
      language: typeof language === 'string' ? language : null,
      duration: secondsIn(duration),
      segments: timed ?? null,
      words: words ? [...words] : null,
    },
  };
}

/** Models that are billed by the second report `{"type": "duration", "seconds"}`, others tokens. */
function transcriptUsage(wire: unknown, duration: unknown): Usage {
  const usage = wire === undefined ? noUsage : readUsage(wire);
  const seconds = secondsIn(asRecord(wire)?.['seconds']);
  // A provider that bills seconds bills no tokens.
  if (seconds !== null) {
    return { ...usage, promptTokens: 0, completionTokens: 0, audioSeconds: Math.ceil(seconds) };
  }
  const audioSeconds = tokenCount(Math.ceil(secondsIn(duration) ?? -1));
  return { ...usage, audioSeconds };
}

function secondsIn(value: unknown): number | null {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof seconds === 'number' && tokenCount(Math.ceil(seconds)) !== null ? seconds : null;
}
