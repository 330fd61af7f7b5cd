/**
 * The names of spans and attributes. Those of calls to models follow the GenAI semantic conventions, which are still in
 * development: https://github.com/open-telemetry/semantic-conventions-genai, `gen_ai.client.inference` and
 * `gen_ai.client.embeddings`, as of November 2026. `gen_ai.system` is the former name of `gen_ai.provider.name`, which
 * many tools read.
 */
import type { Attributes } from '@opentelemetry/api';
import type {
  CalledProvider,
  EndedAnswer,
  EndedAttempt,
  EndedRequest,
  SettledSend,
  TokenCounts,
} from '../lib/spans.ts';

/** The operation by the kind of send. The conventions have no names for the last four. */
const operations: Readonly<Record<string, string>> = {
  room: 'chat',
  conversation: 'chat',
  completion: 'text_completion',
  embedding: 'embeddings',
  image: 'image_generation',
  edit: 'image_edit',
  speech: 'speech',
  transcription: 'transcription',
};

export function operationOf(kind: string): string {
  return operations[kind] ?? kind;
}

/** The kind of output of an operation, unless it is text. */
const outputTypes: Readonly<Record<string, string>> = {
  image_generation: 'image',
  image_edit: 'image',
  speech: 'speech',
};

/** Providers to which the conventions give other names. All others keep their code in the catalogue. */
const providerNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
};

/** A failed span has this attribute in addition to its status. */
const ERROR_TYPE = 'error.type';

export function attemptAttributes(
  { code, baseUrl }: CalledProvider,
  operation: string,
  model: string,
): Attributes {
  const name = providerNames[code] ?? code;
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': name,
    'gen_ai.system': name,
    'gen_ai.request.model': model,
    'gen_ai.output.type': outputTypes[operation],
    ...serverAttributes(baseUrl),
  };
}

/** @param address an absolute URL; undefined: not known */
function serverAttributes(address: string | undefined): Attributes {
  const url = address === undefined ? null : URL.parse(address);
  if (!url) return {};
  const port = url.port || (url.protocol === 'http:' ? 80 : 443);
  return { 'server.address': url.hostname, 'server.port': Number(port) };
}

export function attemptEnd(ended: EndedAttempt): Attributes {
  const { outcome, status, usage, answer, firstPartMs, baseUrl } = ended;
  return {
    ...(usage && usageAttributes(usage)),
    ...(answer && answerAttributes(answer)),
    ...serverAttributes(baseUrl),
    'gen_ai.response.time_to_first_chunk':
      firstPartMs === undefined ? undefined : firstPartMs / 1_000,
    'http.response.status_code': status ?? undefined,
    [ERROR_TYPE]: failureOf(outcome),
    'zastava.outcome': outcome,
  };
}

function answerAttributes(answer: EndedAnswer): Attributes {
  const { answeringModel, providerMessageId, finishReason, choices } = answer;
  const reasons = choices?.map((choice) => choice.finishReason);
  return {
    'gen_ai.response.model': answeringModel,
    'gen_ai.response.id': providerMessageId ?? undefined,
    'gen_ai.response.finish_reasons':
      reasons ?? (finishReason === undefined ? undefined : [finishReason]),
  };
}

/** @param usage as it is charged */
export function settleAttributes({ messageId, charged, outcome, usage }: SettledSend): Attributes {
  return {
    ...usageAttributes(usage),
    [ERROR_TYPE]: failureOf(outcome),
    'zastava.message_id': messageId,
    'zastava.charge_micro_rubles': charged,
    'zastava.outcome': outcome,
  };
}

/** @param facts with an undefined outcome after success */
export function requestEnd(facts: EndedRequest, status: number): Attributes {
  const { requestId, method, route, userId, messageId, modelId, charged, outcome } = facts;
  return {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    [ERROR_TYPE]: failureOf(outcome),
    'zastava.request_id': requestId,
    'zastava.user_id': userId,
    'zastava.model_id': modelId,
    'zastava.message_id': messageId,
    'zastava.charge_micro_rubles': charged,
    'zastava.outcome': outcome ?? 'done',
  };
}

/** The longest text of an attribute, in UTF-16 units: spans wait in memory. */
const TEXT_UNITS_MAX = 16_384;

/** Texts in the form that the conventions define. */
export function textAttributes({
  systemPrompt: system,
  request,
  response,
}: SettledSend['texts']): Attributes {
  return {
    'gen_ai.system_instructions':
      system === '' ? undefined : JSON.stringify([{ type: 'text', content: cut(system) }]),
    'gen_ai.input.messages': message('user', request),
    'gen_ai.output.messages': message('assistant', response),
  };
}

function message(role: string, text: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content: cut(text) }] }]);
}

function cut(text: string): string {
  return text.slice(0, TEXT_UNITS_MAX);
}

function usageAttributes(usage: TokenCounts): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.promptTokens ?? undefined,
    'gen_ai.usage.output_tokens': usage.completionTokens ?? undefined,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens ?? undefined,
    'gen_ai.usage.cache_write.input_tokens': usage.cacheWriteTokens ?? undefined,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens ?? undefined,
  };
}

/** A client that left, or a provider that was stopped, is not a failure. */
export function failureOf(outcome: string | undefined): string | undefined {
  const isWell = outcome === undefined || ['ok', 'done', 'stopped'].includes(outcome);
  return isWell ? undefined : outcome;
}
