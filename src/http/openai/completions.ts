import { z } from 'zod';
import { EMBEDDING_VOCABULARY, type Conversation, type SendResult } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { openAiCompletion } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import type { NamedEventWriter } from '../compatible/named-events.ts';
import { openAiError } from '../compatible/errors.ts';
import { refuseFields } from '../compatible/request-fields.ts';
import { toDomainError } from '../errors.ts';
import {
  choicesOf,
  eventLine,
  finishReasonView,
  usageView,
  warningsView,
  type AboutAnswer,
} from './chat-answer.ts';
import { textFields } from './chat-completions.ts';
import { sharedFields, sharedOptions } from './shared-fields.ts';
import { isText, textsOfNumbers, tokenNumbers } from './token-numbers.ts';

/** The output limit without `max_tokens`, the same as OpenAI's. */
const OUTPUT_TOKENS_DEFAULT = 16;
const PROMPTS_MAX = 128;
const LOGPROBS_MAX = 5;

const completionBody = z.object({
  model: z.string(),
  prompt: z.union(
    [
      z.string().min(1),
      tokenNumbers,
      z.array(z.string().min(1)).min(1).max(PROMPTS_MAX),
      z.array(tokenNumbers).min(1).max(PROMPTS_MAX),
    ],
    `must be a text, 1 to ${PROMPTS_MAX} texts, or the same as token numbers of ${EMBEDDING_VOCABULARY}; none of them empty`,
  ),
  suffix: z.string().nullish(),
  max_tokens: z.int().min(1).nullish(),
  logprobs: z.int().min(0).max(LOGPROBS_MAX).nullish(),
  ...sharedFields,
});

type CompletionBody = z.output<typeof completionBody>;

/** Fields that would change the answer but are not supported by the gateway. */
const refusedFields = ['best_of', 'echo', 'logit_bias'];

/** Values that ask for the usual behaviour. */
const harmless: Record<string, string> = { best_of: '1', logit_bias: '{}' };

export const completions = sendEndpoint({
  path: '/v1/completions',
  summary: 'Completion',
  body: completionBody,
  result: openAiCompletion,
  example: { model: 'sandbox/sandbox-text', prompt: 'Once upon a time' },
  models: ['completion', 'text'],
  refuse: (given) =>
    refuseFields(
      given,
      refusedFields,
      (value, field) => value === false || JSON.stringify(value) === harmless[field],
    ),
  content: async (body, { modality }) => {
    const prompts = isText(body.prompt)
      ? [body.prompt].flat()
      : await textsOfNumbers(body.prompt, 'prompt');
    const options = optionsOf(body);
    const shared = {
      maxOutputTokens: body.max_tokens ?? OUTPUT_TOKENS_DEFAULT,
      temperature: body.temperature ?? undefined,
      seed: body.seed ?? undefined,
    };
    if (modality === 'text') {
      const content = promptOfChat(body, prompts);
      const messages = [{ role: 'user' as const, content }];
      return { kind: 'conversation', conversation: { messages, options }, ...shared };
    }
    return { kind: 'completion', prompts, suffix: body.suffix || undefined, options, ...shared };
  },
  view: (result, { model }) => ({
    id: completionId(result),
    object: 'text_completion',
    created: toUnixSeconds(result.askedAt),
    model,
    choices: choicesOf(result).map(({ text, logprobs, finishReason }, index) =>
      choiceView(text, index, logprobs, finishReason),
    ),
    usage: usageView(result),
    ...warningsView(result),
  }),
  writer: (body, { model }) =>
    chunkWriter({ model, ignored: [] }, body.stream_options?.include_usage ?? false),
  fields: {
    ...textFields,
    max_output_tokens: 'max_tokens',
    maxOutputTokens: 'max_tokens',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    messages: 'prompt',
  },
});

function optionsOf(body: CompletionBody): Conversation['options'] {
  const { logprobs } = body;
  const wanted = logprobs == null ? undefined : { alternatives: logprobs };
  return { ...sharedOptions(body), logprobs: wanted };
}

/** A chat model gets the prompt as a message. @throws `invalid_request` for fields that a chat does not have */
function promptOfChat(
  { suffix, logprobs }: CompletionBody,
  [prompt = '', ...more]: string[],
): string {
  const elsewhere = 'is for models of modality completion: this model chats';
  if (suffix) throw invalidField('suffix', elsewhere);
  if (logprobs != null) throw invalidField('logprobs', elsewhere);
  if (more.length > 0) throw invalidField('prompt', `more than one text ${elsewhere}`);
  return prompt;
}

function completionId({ roomId, id }: { roomId: string; id: number }): string {
  return `cmpl-${roomId}-${id}`;
}

function choiceView(text: string, index: number, logprobs: unknown, finishReason: string | null) {
  const reason = finishReason === null ? null : finishReasonView(finishReason);
  return { text, index, logprobs, finish_reason: reason };
}

/** Writes a streamed send as pieces of a completion. */
function chunkWriter(about: AboutAnswer, includeUsage: boolean): NamedEventWriter {
  const head = { id: '', object: 'text_completion', created: 0, model: about.model };
  const last = (result: SendResult) => {
    const choices = result.choices?.map(({ text, logprobs, finishReason }, index) =>
      choiceView(text, index, logprobs, finishReason),
    ) ?? [choiceView('', 0, null, result.finishReason)];
    return { ...head, choices, ...warningsView(result, about) };
  };
  return (event) => {
    switch (event.type) {
      case 'served':
        head.model = event.model;
        return '';
      case 'start':
        head.id = completionId(event);
        head.created = toUnixSeconds(event.askedAt);
        return '';
      case 'delta':
        return eventLine({ ...head, choices: [choiceView(event.text, 0, null, null)] });
      case 'tool_call':
      case 'reasoning':
        return '';
      case 'error':
        return eventLine({ error: openAiError(toDomainError(event.error)) });
      case 'done': {
        const usage = { ...head, choices: [], usage: usageView(event.result) };
        return `${eventLine(last(event.result))}${includeUsage ? eventLine(usage) : ''}data: [DONE]\n\n`;
      }
    }
  };
}
