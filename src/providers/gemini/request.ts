import { someTurns, systemText } from '../shared/conversation.ts';
import type { Converted } from '../shared/converted.ts';
import { Omissions } from '../shared/unsupported.ts';
import type { ResponseFormat, TextRequest, ToolChoice } from '../spec.ts';
import { contents, type Content } from './messages.ts';
import type { Signatures } from './signatures.ts';
import { thinkingConfig } from './thinking.ts';

/** The body of `generateContent`, as far as the gateway uses it. JSON leaves out undefined fields. */
export interface GenerateBody {
  contents: Content[];
  systemInstruction?: { parts: { text: string }[] };
  tools?: unknown[];
  toolConfig?: unknown;
  generationConfig: Record<string, unknown>;
}

/** The API's seeds are 32-bit integers. */
const SEED_MAX = 2 ** 31 - 1;

export function generateBody(
  request: TextRequest,
  signatures: Signatures,
): Converted<GenerateBody> {
  const omissions = new Omissions(request);
  const seed = wholeSeed(request.seed, omissions);
  if (request.parallelToolCalls === false) {
    omissions.add('parallelToolCalls', 'This provider cannot limit a model to one tool call.');
  }
  const body: GenerateBody = {
    contents: someTurns(contents(request.messages, signatures)),
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
  };
  const system = systemText(request.messages);
  if (system !== '') body.systemInstruction = { parts: [{ text: system }] };
  addTools(body, request);
  return { body, seed, warnings: omissions.warnings };
}

/** The seed, if the API supports it. */
export function wholeSeed(seed: number | undefined, omissions: Omissions): number | null {
  return omissions.seed(seed, isSeed, `whole numbers up to ${SEED_MAX}`);
}

function isSeed(seed: number): boolean {
  return Number.isInteger(seed) && Math.abs(seed) <= SEED_MAX;
}

function jsonConfig(format: ResponseFormat | undefined): Record<string, unknown> {
  if (!format || format.type === 'text') return {};
  const json = { responseMimeType: 'application/json' };
  return format.type === 'json_object' ? json : { ...json, responseJsonSchema: format.schema };
}

function addTools(body: GenerateBody, { tools = [], toolChoice }: TextRequest): void {
  if (tools.length === 0) return;
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  body.tools = [{ functionDeclarations }];
  if (toolChoice !== undefined && toolChoice !== 'auto') {
    body.toolConfig = { functionCallingConfig: callingConfig(toolChoice) };
  }
}

function callingConfig(choice: Exclude<ToolChoice, 'auto'>): unknown {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { mode: choice === 'none' ? 'NONE' : 'ANY' };
}
