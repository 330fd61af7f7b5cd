import type { ProviderRefusal } from '../../lib/errors.ts';
import type { ReportedFailure } from '../spec.ts';

/** Statuses for a request that the provider can't accept. Others concern the key, the account or the provider. */
const refusingStatuses: readonly number[] = [400, 413, 422];
/** Inside an answer, and from a few servers, an overflow has no specific status. */
const overflowStatuses: readonly number[] = [...refusingStatuses, 500];

/**
 * Codes and types for an input that is longer than the model's context, from OpenAI, servers like it, and llama.cpp.
 */
const overflowCodes: ReadonlySet<string | undefined> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
]);

/** The words for it of providers without such a code. The test has a sentence of each. */
const overflowMessages = [
  /prompt is too long/i,
  /exceeds? (?:the )?(?:available |maximum )?context (?:limit|window|length|size)/i,
  /context (?:limit|window|length|size) (?:has been |was )?exceeded/i,
  /maximum (?:context|prompt|model) length/i,
  /input token count.*exceeds the maximum number of tokens/i,
  /exceeded model token limit/i,
  /number of input tokens must be no more than/i,
  /model is loaded with context length/i,
  /`inputs` tokens \+ `max_new_tokens` must be/i,
];

/** A refusal that only the operator can resolve, whatever its status: money, keys or rights. */
const operatorsMatter =
  /credit|billing|balance|payment|quota|subscription|organi[sz]ation|\baccount\b|api[ _-]?key|permission|not activated|location is not supported/i;
const operatorsCodes = /billing|quota|insufficient|invalid_api_key/i;

/**
 * Statuses with which providers report that they do not have a model. A 404 may also mean that nothing exists at the
 * address.
 */
const missingStatuses: readonly number[] = [400, 403, 410, 422];
const missingModel =
  /(?:unknown|invalid|no such) model|not a valid model|\bmodel\b[^.]{0,80}\b(?:(?:does )?not exist|not found|decommissioned|deprecated|no longer)/i;
const missingCodes = /model_(?:not_found|decommissioned)|invalid_model|unknown_model/i;

/** Ids of accounts and requests, and addresses in the operator's network. */
const privateWords: readonly [RegExp, string][] = [
  [/\b(?:org|proj|acct|user|req)[-_][\w-]{6,}/gi, '[id]'],
  [/\b[\w.+-]+@[\w-]+\.[\w.]+/g, '[address]'],
  [/\bhttps?:\/\/(?:localhost|\[[\da-f:]+\]|[\w-]+(?=[:/\s]|$))[^\s"'<>),]*/gi, '[address]'],
  [/(?:\bhttps?:\/\/)?\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?(?:\/[^\s"'<>),]*)?/gi, '[address]'],
];

/**
 * What is wrong with the request, according to the provider.
 * @param status of the answer, or the one that an error inside an answer stands for
 * @param reported with the key masked
 * @returns undefined for any other failure, and for one that only the operator can resolve
 */
export function refusalOf(
  status: number,
  reported: ReportedFailure | undefined,
): ProviderRefusal | undefined {
  const { code, type, message = '' } = reported ?? {};
  const isOverflow =
    overflowStatuses.includes(status) &&
    (overflowCodes.has(code) ||
      overflowCodes.has(type) ||
      overflowMessages.some((pattern) => pattern.test(message)));
  if (isOverflow) return { message: withoutPrivate(message), tooLong: countsIn(message) };
  if (!refusingStatuses.includes(status)) return undefined;
  if (isNotFound(status, reported)) return undefined;
  if (operatorsMatter.test(message) || operatorsCodes.test(`${code} ${type}`)) return undefined;
  return { message: withoutPrivate(message) };
}

/** Whether a provider reports that it does not have the model. @param status as for `refusalOf` */
export function isNotFound(status: number, reported: ReportedFailure | undefined): boolean {
  if (status === 404) return true;
  const { code, type, message = '' } = reported ?? {};
  const says = missingModel.test(message) || missingCodes.test(`${code} ${type}`);
  return missingStatuses.includes(status) && says;
}

function withoutPrivate(message: string): string {
  return privateWords.reduce((text, [words, mask]) => text.replaceAll(words, mask), message).trim();
}

/** How messages name the tokens of the request, and the most that the model accepts. */
const tokensIn =
  /(?:requested|resulted in|contains|token count|too long:|\bgot|first|\(length)\s+(?:about )?\(?(\d[\d,]*)(?= tokens|\)|$)/i;
const maxIn =
  /(?:length (?:is|of)(?: only)?|tokens allowed|no more than|token limit:|>|model with|context size)\s+\(?(\d[\d,]*)/i;

function countsIn(message: string): NonNullable<ProviderRefusal['tooLong']> {
  const [tokens, max] = [tokensIn, maxIn].map((pattern) => {
    const digits = pattern.exec(message)?.[1];
    return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
  });
  return tokens !== undefined && max !== undefined && tokens > max ? { tokens, max } : {};
}
