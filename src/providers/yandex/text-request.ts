import { Omissions } from '../shared/unsupported.ts';
import { UnsupportedError, type TextRequest } from '../spec.ts';
import { withNames } from './call-ids.ts';
import { modelUri } from './model-uri.ts';

/** Yandex's own models. Others, such as gpt-oss, support reasoning efforts. */
const ownModel = /(?:^|\/)(?:yandexgpt|aliceai)/;

/**
 * The part of a request that Yandex's OpenAI-compatible API supports. According to its documentation: temperature,
 * output limit, tools with the choices `auto` and `none`, response format and reasoning effort.
 */
export function textRequest(
  request: TextRequest,
  folder: string,
): { request: TextRequest; warnings: string[] } {
  const omissions = new Omissions(request);
  const { toolChoice } = request;
  omissions.addIf(request.seed, 'seed', 'This provider does not support seeds.');
  omissions.addIf(request.topP, 'topP', 'This provider does not support top_p.');
  omissions.addIf(request.stop?.[0], 'stop', 'This provider does not support stop sequences.');
  omissions.addPenalties(request);
  const isOwn = ownModel.test(request.model);
  const reasoningEffort = isOwn ? undefined : request.reasoningEffort;
  if (isOwn) {
    omissions.addIf(
      request.reasoningEffort,
      'reasoningEffort',
      'This model does not support reasoning efforts.',
    );
  }
  if (request.parallelToolCalls === false) {
    omissions.add('parallelToolCalls', 'This provider cannot limit a model to one tool call.');
  }
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    throw new UnsupportedError(
      'toolChoice',
      'This provider only supports the tool choices auto and none.',
    );
  }
  const { maxOutputTokens, temperature, tools, responseFormat, traceparent } = request;
  const messages = isOwn ? withNames(request.messages) : request.messages;
  return {
    request: {
      model: modelUri('gpt', folder, request.model),
      messages,
      maxOutputTokens,
      temperature,
      tools,
      toolChoice,
      responseFormat,
      traceparent,
      reasoningEffort,
    },
    warnings: omissions.warnings,
  };
}
