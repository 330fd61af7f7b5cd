import { unlessNeutral, type Omissions } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';

type Sampling = Pick<TextRequest, 'temperature' | 'topP' | 'frequencyPenalty' | 'presencePenalty'>;
type Field = keyof Sampling;

/** Kimi K2.5 and later sample in one way, and refuse other values: https://platform.kimi.ai/docs/api/models-overview. */
const fixedKimi = /^kimi-k(?:2\.[5-9]|[3-9])/;
/**
 * Values that clients send as defaults. Kimi's own temperature is 1, or 0.6 if it does not reason; its top_p is 0.95.
 */
const usual: Readonly<Record<Field, readonly number[]>> = {
  temperature: [1],
  topP: [1, 0.95],
  frequencyPenalty: [0],
  presencePenalty: [0],
};
const words: Readonly<Record<Field, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  frequencyPenalty: 'frequency penalty',
  presencePenalty: 'presence penalty',
};
const fields = Object.keys(words) as Field[];

/** The sampling parameters that the server accepts. */
export function samplingOf(
  request: TextRequest,
  { isKimi, hasUsualDefaults }: ServerTraits,
  omissions: Omissions,
): Sampling {
  if (isKimi && fixedKimi.test(request.model)) {
    for (const field of fields) {
      const value = request[field];
      if (value === undefined || usual[field].includes(value)) continue;
      omissions.add(field, `The ${words[field]} of this model is fixed.`);
    }
    return {};
  }
  const { temperature, topP, frequencyPenalty, presencePenalty } = request;
  if (!hasUsualDefaults) return { temperature, topP, frequencyPenalty, presencePenalty };
  return {
    temperature,
    topP: unlessNeutral(topP, 'topP'),
    frequencyPenalty: unlessNeutral(frequencyPenalty, 'frequencyPenalty'),
    presencePenalty: unlessNeutral(presencePenalty, 'presencePenalty'),
  };
}
