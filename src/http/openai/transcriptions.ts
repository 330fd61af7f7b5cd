import { z } from 'zod';
import { secondsOfAudio } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { openAiTranscription } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { formFile } from '../compatible/form-file.ts';
import { refuseFields, UNSUPPORTED } from '../compatible/request-fields.ts';
import { subtitlesOf, transcriptUsageView, transcriptWriter, verboseView } from './transcript.ts';
import { costHeaders, warningsView } from './chat-answer.ts';

/** Fields that would change the answer but are not supported by the gateway. */
const refusedFields = [
  'chunking_strategy',
  'include',
  'known_speaker_names',
  'known_speaker_references',
];

const transcriptionBody = z.object({
  file: formFile,
  model: z.string(),
  language: z.string().nullish(),
  prompt: z.string().nullish(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).nullish(),
  stream: z.boolean().nullish(),
});

type ExampleForm = z.input<typeof transcriptionBody>;
type TranscriptionBody = z.output<typeof transcriptionBody>;

/** Formats that need the times of segments. */
const timedFormats: readonly unknown[] = ['srt', 'verbose_json', 'vtt'];

export const transcriptions = sendEndpoint({
  path: '/v1/audio/transcriptions',
  summary: 'Transcription',
  body: transcriptionBody,
  form: 'only',
  result: openAiTranscription,
  texts: 'A gate at dawn.\n',
  // In a form, the name stands for the file.
  example: { file: 'speech.mp3', model: 'openai/whisper-1' } as object as ExampleForm,
  models: ['transcription'],
  refuse: (given) => refuseFields(given, refusedFields, (value) => value === 'auto'),
  content: async (body, { userId }) => {
    const isTimed = timedFormats.includes(body.response_format);
    checkFormat(body, isTimed);
    const { file, language, prompt, temperature, timestamp_granularities: granularities } = body;
    return {
      kind: 'transcription',
      file,
      seconds: await secondsOfAudio(file.bytes, userId),
      language: language ?? undefined,
      prompt: prompt ?? undefined,
      temperature: temperature ?? undefined,
      isTimed,
      granularities: granularities ?? undefined,
    };
  },
  view: (result, { body }) => {
    const format = body.response_format ?? 'json';
    if (format === 'verbose_json') return verboseView(result);
    if (format === 'json') {
      return {
        text: result.response,
        usage: transcriptUsageView(result),
        ...warningsView(result),
      };
    }
    const text = format === 'text' ? `${result.response}\n` : subtitlesOf(result, format);
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...costHeaders(result) };
    return new Response(text, { headers });
  },
  writer: () => transcriptWriter,
  fields: { ai: 'model', message: 'prompt' },
});

/** @throws `invalid_request` for fields that exclude each other */
function checkFormat(body: TranscriptionBody, isTimed: boolean): void {
  const { stream, response_format: format, timestamp_granularities: granularities } = body;
  if (stream && format && format !== 'json')
    throw invalidField('stream', `${UNSUPPORTED} with response_format ${format}`);
  if (granularities && !isTimed) {
    throw invalidField('timestamp_granularities', 'needs response_format verbose_json');
  }
}
