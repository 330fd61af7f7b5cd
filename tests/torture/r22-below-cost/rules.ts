/** Rules for each message, computed independently of the product. */
import { unless } from '../support/campaign.ts';
import { dueFor } from '../support/catalogue.ts';
import type { StoredMessage } from '../support/check/stored.ts';
import type { ClientEntry } from '../support/client-log.ts';
import type { ReportedUsage } from '../support/journal-provider.ts';
import { caseOf, PIECE_WORDS, WORD, type GreedyCall } from './greedy-provider.ts';

/** The margin in docs/money.md: characters of an answer that is cut, by its cap. */
const marginOf = (cap: number) => (cap * 5 + 256 + PIECE_WORDS * WORD.length) * 1.25;
/** More words may be sent while a stream is being stopped. */
const WORDS_ON_THE_WAY = 2;

/** The cost of the stored usage above the hold, in micro-rubles. */
export function lostIn(message: StoredMessage): number {
  const { hold, charged, promptTokens, completionTokens } = message;
  if (promptTokens === null || charged !== hold) return 0;
  const due = totalOf({ prompt: promptTokens, completion: completionTokens ?? 0 }, message);
  return Math.max(0, due - hold);
}

/** Without an answer there is no fixed price for one. */
function totalOf(used: ReportedUsage, { response }: StoredMessage): number {
  const { request, response: answer } = dueFor('TEXT', used);
  const none = dueFor('TEXT', { prompt: 0, completion: 0 }).response;
  return request + answer - (response === '' ? none : 0);
}

/** @returns the problems of the charge for this message */
export function holdsFor(
  message: StoredMessage,
  call: GreedyCall | undefined,
  line: ClientEntry | undefined,
): string[] {
  const { request, charged, hold, state, promptTokens, completionTokens } = message;
  const where = `${request} (${state}, ${call?.ended ?? 'never called'})`;
  if (charged > hold) return [`${where}: charged ${charged} of ${hold}`];
  if (!call) return unless(charged === 0, `${where}: charged ${charged} for nothing`);
  if (state === 'failed') return failedWell(message, call, where);
  const counted = { prompt: promptTokens ?? 0, completion: completionTokens ?? 0 };
  const due = Math.min(hold, totalOf(counted, message));
  // If nothing was kept of an answer that was read to its end, its fixed price may still be due.
  const dueRead = Math.min(hold, totalOf(counted, { ...message, response: 'read' }));
  return [
    ...unless(charged === due || charged === dueRead, `${where}: charged ${charged}, due ${due}`),
    ...unless(
      call.case !== 'beside' || lostIn(message) === 0,
      `${where}: the hold of ${hold} is too small`,
    ),
    ...counts(message, call, line, counted).map((wrong) => `${where}: ${wrong}`),
  ];
}

/** Only a broken stream, or a deadline before the first word, may cost nothing. */
function failedWell(
  { charged, request }: StoredMessage,
  call: GreedyCall,
  where: string,
): string[] {
  const of = caseOf(request);
  const mayFail = of === 'broken' || (of === 'late' && call.words === 0);
  return unless(mayFail && charged === 0, `${where}: charged ${charged}`);
}

function counts(
  { request, response }: StoredMessage,
  call: GreedyCall,
  line: ClientEntry | undefined,
  { prompt, completion }: ReportedUsage,
): string[] {
  const { bill, words, reasoning, ended } = call;
  const cap = line?.cap ?? 0;
  const kept = response.length / WORD.length;
  const isAsBilled = prompt === bill.prompt && completion === bill.completion;
  const asBilled = unless(
    isAsBilled,
    `counted ${prompt} + ${completion}, billed ${bill.prompt} + ${bill.completion}`,
  );
  switch (caseOf(request)) {
    case 'hidden':
    case 'summed up':
      return [...unless(ended === 'answered', 'the reasoning was not read on'), ...asBilled];
    case 'lying':
    case 'beside':
      return asBilled;
    case 'endless plain':
      return [
        ...asBilled,
        ...unless(response.length <= marginOf(cap), `kept ${response.length} characters`),
      ];
    case 'endless':
      return [
        ...unless(ended === 'dropped', 'the provider was not stopped'),
        ...unless(response.length <= marginOf(cap), `kept ${response.length} characters`),
        ...unless(completion >= Math.min(cap, kept), `counted ${completion} of ${kept} words`),
      ];
    case 'shown':
    case 'late':
    case 'broken': {
      // It may have been stopped just before its end arrived.
      if (ended === 'answered' && isAsBilled) return [];
      const before = response === '' ? 0 : reasoning;
      return [
        ...unless(
          completion >= before + kept,
          `counted ${completion} of ${before} + ${kept} words`,
        ),
        ...unless(
          completion <= reasoning + words + WORDS_ON_THE_WAY,
          `counted ${completion}, made ${reasoning} + ${words} words`,
        ),
      ];
    }
  }
}
