import { codeOfFault, type SendKind } from '../../support/fault-codes.ts';
import { goodAnswer } from '../../support/scripted-answers.ts';
import type { RecordedCall } from '../../support/scripted-provider.ts';
import { kindOf, type ProviderCall, type ReportedUsage } from '../support/journal-provider.ts';
import { wordsOf } from '../support/ways.ts';
import { faultOf } from './cases.ts';

/**
 * The calls of the scripted provider as its own books would have them: those whose answer is complete in spite of the
 * fault.
 */
export function journalOf(calls: readonly RecordedCall[]): ProviderCall[] {
  return calls.map((call) => {
    const { body, path } = call;
    const fault = faultOf(body['model']);
    const kind = kindOf(path, body['stream'] === true);
    const { messages, prompt, input = '' } = body;
    const message = messages === undefined ? String(prompt ?? input) : wordsOf(lastOf(messages));
    const answered = codeOfFault(fault, sendKinds[kind]) === undefined;
    return {
      message,
      kind,
      status: answered ? 200 : 500,
      text: answered ? textOf(call) : '',
      reported: answered ? reportedIn(call, kind, message, fault === 'no_usage') : null,
      ended: 'answered',
      endedAt: 0,
    };
  });
}

const sendKinds: Readonly<Record<ProviderCall['kind'], SendKind>> = {
  plain: 'text',
  stream: 'stream',
  image: 'image',
  embedding: 'image',
  speech: 'audio',
  transcription: 'audio',
};

/** The text of the good answer, which the fault spoiled a little. */
function textOf(call: RecordedCall): string {
  const good = goodAnswer(call);
  if ('events' in good) {
    const pieces = good.events.map((event) => {
      const { choices = [] } = event as {
        choices?: { text?: string; delta?: { content?: string } }[];
      };
      return choices[0]?.text ?? choices[0]?.delta?.content ?? '';
    });
    return pieces.join('');
  }
  const { text, choices } = good.body as {
    text?: string;
    choices?: { text?: string; message?: { content?: string } }[];
  };
  return text ?? choices?.[0]?.text ?? choices?.[0]?.message?.content ?? '';
}

function lastOf(messages: unknown): string {
  return String((messages as { content: string }[]).at(-1)?.content);
}

/** The usage in the good answer. */
function reportedIn(
  call: RecordedCall,
  kind: ProviderCall['kind'],
  message: string,
  withoutUsage: boolean,
): ReportedUsage | null {
  if (kind === 'speech') return { prompt: 0, completion: 0, units: Array.from(message).length };
  const good = goodAnswer(call);
  if (withoutUsage || 'events' in good) return null;
  const usage = good.body['usage'] as Record<string, number>;
  if (kind === 'transcription') return { prompt: 0, completion: 0, units: usage['seconds'] ?? 0 };
  return {
    prompt: usage['prompt_tokens'] ?? usage['input_tokens'] ?? 0,
    completion: usage['completion_tokens'] ?? usage['output_tokens'] ?? 0,
  };
}
