import { z } from 'zod';
import { speechTypes } from '../../chat/index.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { refuseFields } from '../compatible/request-fields.ts';
import { costHeaders } from './chat-answer.ts';

/** Fields that would change the answer but are not supported by the gateway. */
const refusedFields = ['stream_format'];

const formats = Object.keys(speechTypes) as [keyof typeof speechTypes];

export const speech = sendEndpoint({
  path: '/v1/audio/speech',
  summary: 'Speech',
  body: z.object({
    model: z.string(),
    input: z.string().min(1, 'must not be empty'),
    voice: z.string().min(1, 'must be the name of a voice'),
    response_format: z.enum(formats).nullish(),
    speed: z.number().min(0.25).max(4).nullish(),
    instructions: z.string().nullish(),
  }),
  result: z.string(),
  media: 'audio/mpeg',
  // The sandbox does not speak.
  example: { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' },
  models: ['speech'],
  refuse: (given) => refuseFields(given, refusedFields, (value) => value === 'audio'),
  content: ({ input, voice, response_format: format, speed, instructions }) => ({
    kind: 'speech',
    text: input,
    voice,
    format: format ?? 'mp3',
    speed: speed ?? undefined,
    instructions: instructions ?? undefined,
  }),
  view: async (result, { body }, { images }) =>
    new Response(await images.bytesAt(result.response), {
      headers: {
        'content-type': speechTypes[body.response_format ?? 'mp3'],
        ...costHeaders(result),
        'x-characters': String(result.usage.characters),
      },
    }),
  fields: { ai: 'model', message: 'input' },
});
