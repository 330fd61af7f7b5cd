import { imageUrls } from '../../../chat/index.ts';
import { invalidField } from '../../../lib/errors.ts';
import { openAiResponse } from '../../compatible/answer-schemas.ts';
import { sendEndpoint } from '../../compatible/endpoints.ts';
import { textFields, textModels } from '../chat-completions.ts';
import { answerView, requestedView, type ResponseFacts } from './answer.ts';
import { refuseUnsupported, responseBody, SEALED_REASONING, type ResponseBody } from './body.ts';
import { requestedOf, notStored, type RequestedResponse } from './conversation.ts';
import { itemsOf, toMessages } from './items.ts';
import { storedResponse } from './stored.ts';
import { responseWriter } from './stream.ts';
import { leftOutWarning } from '../../compatible/left-out.ts';

type Content = ReturnType<typeof contentOf>;

/** The Responses API. The routes of `stored.ts` read what it stores. */
export const responses = sendEndpoint({
  path: '/v1/responses',
  summary: 'Response',
  body: responseBody,
  result: openAiResponse,
  example: { model: 'sandbox/sandbox-text', input: 'Hello' },
  models: textModels,
  refuse: refuseUnsupported,
  unreadImages: (body) => {
    // Everything that is stored has to be read.
    if (body.store !== false) return [];
    const items = itemsOf(body.input).filter((item) => item.type !== 'item_reference');
    return imageUrls({ messages: toMessages(items) });
  },
  content: (body, { parts, userId }) => {
    const requested = requestedOf(body, { responses: parts.responses, userId });
    return requested instanceof Promise
      ? requested.then((read) => contentOf(body, read))
      : contentOf(body, requested);
  },
  view: (result, { body, model, sent }) => answerView(result, factsOf(body, model, sent)),
  background: { isRequested: (body) => body.background === true, view: storedResponse },
  writer: (body, { model, sent }) => responseWriter(factsOf(body, model, sent)),
  fields: (body) => ({
    ...textFields,
    logprobs: body['top_logprobs'] ? 'top_logprobs' : 'include',
    maxOutputTokens: 'max_output_tokens',
    messages: 'input',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    responseFormat: 'text.format',
    reasoningEffort: 'reasoning.effort',
  }),
});

function contentOf(body: ResponseBody, { conversation, offered, kept }: RequestedResponse) {
  if (body.background && !kept) {
    const why = body.store === false ? 'leave out store: false' : 'send a shorter conversation';
    throw invalidField('background', `works only for a response that is stored: ${why}`);
  }
  return {
    kind: 'conversation' as const,
    conversation,
    offered,
    maxOutputTokens: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: undefined,
    kept,
  };
}

function factsOf(body: ResponseBody, model: string, { kept, offered }: Content): ResponseFacts {
  const requested = requestedView(body, kept !== undefined);
  const warnings = [...leftOutWarning(offered.leftOut), ...notStored(body, kept)];
  const sealed = body.include?.includes(SEALED_REASONING) ?? false;
  return { asked: requested, model, named: offered.named, sealed, warnings };
}
