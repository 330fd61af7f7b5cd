import { number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useCountdown } from '../ui/countdown.ts';
import { errorWords, Problem } from '../ui/states.tsx';
import type { Conversation } from './conversation.ts';
import { costOf, type Turn } from './turns.ts';

/** Why there is no answer, what was charged, and what to do. */
export function Failure({ turn, conversation }: { turn: Turn; conversation: Conversation }) {
  const words = t().chat;
  const waitSeconds = useCountdown(turn.error);
  if (turn.state === 'broken') {
    return <Problem words={words.broken} onAct={() => conversation.reconnect()} />;
  }
  const { words: reason, requestId } = reasonOf(turn);
  const cap = Number(turn.error?.facts['max_output_tokens'] ?? 0);
  const isSaid = reason.toLowerCase().includes(words.notCharged.slice(0, -1).toLowerCase());
  const charged = costOf(turn) === 0 && !isSaid ? words.notCharged : '';
  const wait = waitSeconds > 0 ? words.waitSeconds(number(waitSeconds)) : '';
  if (!conversation.canRepeat(turn)) {
    return <Problem words={`${reason} ${charged}`} requestId={requestId} />;
  }
  return (
    <Problem
      words={`${reason} ${charged} ${wait}`}
      requestId={requestId}
      isDisabled={waitSeconds > 0}
      onAct={() => void conversation.repeat()}
    >
      {cap > 0 && (
        <button type="button" onClick={() => void conversation.repeat({ max_output_tokens: cap })}>
          {words.sendCapped(number(cap))}
        </button>
      )}
    </Problem>
  );
}

function reasonOf({ error }: Turn): ReturnType<typeof errorWords> {
  const words = t().chat;
  if (error?.code === 'insufficient_funds' && typeof error.facts['needed'] === 'number') {
    const [needed, available] = [error.facts['needed'], Number(error.facts['available'])];
    const text = words.insufficient(rubles(micro(needed)), rubles(micro(available)));
    return { words: text, requestId: undefined };
  }
  return errorWords(error);
}
