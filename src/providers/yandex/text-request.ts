import { LeftOut } from '../shared/unsupported.ts';
import { UnsupportedError, type TextRequest } from '../spec.ts';
import { withNames } from './call-ids.ts';
import { modelUri } from './model-uri.ts';

/** Yandex's own models; the others there, such as gpt-oss, reason to the effort that is asked for. */
const ownModel = /(?:^|\/)(?:yandexgpt|aliceai)/;

/**
 * What Yandex takes of a request in its OpenAI-compatible interface. By its documentation these are
 * temperature, cap, tools with the choices `auto` and `none`, the response format, and an effort.
 */
export function textRequest(
  request: TextRequest,
  folder: string,
): { request: TextRequest; warnings: string[] } {
  const leftOut = new LeftOut(request);
  const { toolChoice } = request;
  leftOut.addIf(request.seed, 'seed', 'This provider takes no seed.');
  leftOut.addIf(request.topP, 'topP', 'This provider takes no top_p.');
  leftOut.addIf(request.stop?.[0], 'stop', 'This provider takes no stop texts.');
  leftOut.addPenalties(request);
  const isOwn = ownModel.test(request.model);
  const reasoningEffort = isOwn ? undefined : request.reasoningEffort;
  if (isOwn) {
    leftOut.addIf(request.reasoningEffort, 'reasoningEffort', 'This model takes no effort.');
  }
  if (request.parallelToolCalls === false) {
    leftOut.add('parallelToolCalls', 'This provider can not hold a model to one tool call.');
  }
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    throw new UnsupportedError('toolChoice', 'This provider knows the choices auto and none only.');
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
    warnings: leftOut.warnings,
  };
}
