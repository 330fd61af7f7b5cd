import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../app/announcer.tsx';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { ErrorProblem, Skeleton } from '../ui/states.tsx';
import type { Conversation } from './conversation.ts';
import { Message } from './message.tsx';
import { type Place, usePlace } from './place.ts';
import { costOf, leftOut, type Turn } from './turns.ts';

/** How often messages of another tab or device are requested. */
const PENDING_POLL_MS = 2_000;

/** The messages of a room. The page follows an answer only while its end is visible. */
export function RoomView({ conversation }: { conversation: Conversation }) {
  const words = t().chat;
  const { window: turns, error, isLoaded, hasOlder, isBusy } = conversation;
  const shown = turns.shown.value;
  const out = leftOut(shown);
  const place = usePlace();
  const olderError = useSignal<unknown>(undefined);
  const isLoadingOlder = useRef(false);
  useLayoutEffect(place.restore, [shown]);
  useLayoutEffect(() => {
    // A user who sends a message wants to see the answer.
    if (isBusy.value) place.toEnd();
  }, [isBusy.value]);
  useReached(conversation, place);
  usePending(conversation);
  useEffect(() => announce(statusOf(shown.at(-1), isBusy.value)), [isBusy.value]);
  const older = async () => {
    if (isLoadingOlder.current) return;
    isLoadingOlder.current = true;
    try {
      await conversation.older();
      olderError.value = undefined;
    } catch (thrown) {
      olderError.value = thrown;
    } finally {
      isLoadingOlder.current = false;
    }
  };
  const hasEarlier = turns.hasLoadedOlder.value || hasOlder.value;
  return (
    <div class="messages-frame">
      <div
        class="messages"
        ref={place.list}
        tabIndex={0}
        role="region"
        aria-label={words.messages}
        onScroll={() => {
          const near = place.scrolled();
          if (near === 'start' && hasEarlier && olderError.value === undefined) void older();
          if (near === 'end' && turns.hasNewer.value) turns.newer();
        }}
      >
        <div ref={place.content}>
          {error.value !== undefined && (
            <ErrorProblem error={error.value} onAct={() => void conversation.load()} />
          )}
          {!isLoaded.value && shown.length === 0 && error.value === undefined && <Skeleton />}
          <ErrorProblem error={olderError.value} />
          {hasEarlier && (
            <button type="button" onClick={() => void older()}>
              {words.older}
            </button>
          )}
          {shown.map((turn) => (
            <Message
              key={turn.key}
              turn={turn}
              conversation={conversation}
              isLeftOut={out.has(turn.key)}
            />
          ))}
        </div>
      </div>
      {place.isAway.value && (
        <button
          type="button"
          class="to-end"
          onClick={() => {
            turns.toEnd();
            place.toEnd();
          }}
        >
          ↓ {words.toEnd}
        </button>
      )}
    </div>
  );
}

/** Scrolls to a message that was found. */
function useReached({ reached }: Conversation, place: Place): void {
  useLayoutEffect(() => {
    const key = reached.value;
    const messages = place.list.current?.querySelectorAll<HTMLElement>('article.turn') ?? [];
    const message = [...messages].find((one) => one.dataset['key'] === key);
    if (!message) return;
    place.to(message);
    reached.value = undefined;
  }, [reached.value]);
}

/** Follows messages that another tab or device has sent. */
function usePending(conversation: Conversation): void {
  const { isBusy, window: turns } = conversation;
  const isWaiting = !isBusy.value && turns.shown.value.some(({ state }) => state === 'pending');
  useEffect(() => {
    if (!isWaiting) return undefined;
    const refresh = () => void conversation.refreshPending().catch(() => undefined);
    const timer = setInterval(refresh, PENDING_POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
}

function statusOf(turn: Turn | undefined, isBusy: boolean): string {
  if (!turn) return '';
  if (isBusy) return t().chat.answering;
  return turn.state === 'done' ? t().chat.ready(rubles(costOf(turn))) : '';
}
