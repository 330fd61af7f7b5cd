import { someTurns, systemText } from '../shared/conversation.ts';
import { Omissions } from '../shared/unsupported.ts';
import type { ResponseFormat, TextRequest } from '../spec.ts';
import { contents } from './messages.ts';
import type { Signatures } from './signatures.ts';
import { thinkingConfig } from './reasoning.ts';

/** The API's seeds are 32-bit integers. */
const SEED_MAX = 2 ** 31 - 1;

/** The body of `generateContent`, as far as the gateway uses it. */
export function generateBody(request: TextRequest, signatures: Signatures) {
  const omissions = new Omissions(request);
  const seed = wholeSeed(request.seed, omissions);
  omissions.addAll('parallelToolCalls', 'verbosity');
  const system = systemText(request.messages);
  const body = {
    contents: someTurns(contents(request.messages, signatures, request.model)),
    generationConfig: {
      maxOutputTokens: request.maxOutputTokens,
      temperature: request.temperature,
      topP: request.topP,
      seed: seed ?? undefined,
      stopSequences: request.stop?.length ? request.stop : undefined,
      frequencyPenalty: request.frequencyPenalty,
      presencePenalty: request.presencePenalty,
      thinkingConfig: thinkingConfig(request, omissions),
      ...jsonConfig(request.responseFormat),
    },
    ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
    ...toolFields(request),
  };
  return { body, seed, warnings: omissions.warnings };
}

/** The seed, if the API supports it. */
export function wholeSeed(seed: number | undefined, omissions: Omissions): number | null {
  return omissions.seed(seed, isSeed, `whole numbers up to ${SEED_MAX}`);
}

function isSeed(seed: number): boolean {
  return Number.isInteger(seed) && Math.abs(seed) <= SEED_MAX;
}

function jsonConfig(format: ResponseFormat | undefined): object {
  if (!format || format.type === 'text') return {};
  const json = { responseMimeType: 'application/json' };
  return format.type === 'json_object' ? json : { ...json, responseJsonSchema: format.schema };
}

function toolFields({ tools = [], toolChoice = 'auto' }: TextRequest): object {
  if (tools.length === 0) return {};
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  const functionCallingConfig =
    typeof toolChoice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
      : { mode: toolChoice === 'none' ? 'NONE' : 'ANY' };
  return {
    tools: [{ functionDeclarations }],
    ...(toolChoice !== 'auto' && { toolConfig: { functionCallingConfig } }),
  };
}
