import { codeOfFault } from '../../support/fault-codes.ts';
import { goodAnswer } from '../../support/scripted-answers.ts';
import type { Fault, RecordedCall } from '../../support/scripted-provider.ts';
import type { ProviderCall } from '../support/journal-provider.ts';

/** The calls of the scripted provider as its own books would have them: those that are whole all the same. */
export function journalOf(calls: readonly RecordedCall[]): ProviderCall[] {
  return calls.map((call) => {
    const { body, path } = call;
    const fault = String(body['model']).replace('image ', '') as Fault;
    const isImage = path.endsWith('/images/generations');
    const kind = isImage ? 'image' : body['stream'] === true ? 'stream' : 'plain';
    const message = isImage ? String(body['prompt']) : lastOf(body['messages']);
    const whole = codeOfFault(fault, isImage ? 'image' : kind === 'plain' ? 'text' : kind);
    const answered = whole === undefined;
    return {
      message,
      kind,
      status: answered ? 200 : 500,
      text: answered && !isImage ? `echo: ${message}` : '',
      told: answered && fault !== 'no_usage' ? toldIn(call) : null,
      ended: 'answered',
      endedAt: 0,
    };
  });
}

function lastOf(messages: unknown): string {
  return String((messages as { content: string }[]).at(-1)?.content);
}

/** What the good answer, which the fault spoiled a little, tells of usage. */
function toldIn(call: RecordedCall) {
  const good = goodAnswer(call);
  if ('events' in good) return null;
  const usage = good.body['usage'] as Record<string, number>;
  return { prompt: usage['prompt_tokens'] ?? 0, completion: usage['completion_tokens'] ?? 0 };
}
