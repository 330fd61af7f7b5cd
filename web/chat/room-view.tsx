import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../app/announcer.tsx';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { ErrorProblem, Skeleton } from '../ui/states.tsx';
import type { Conversation } from './conversation.ts';
import { Message } from './message.tsx';
import type { Turn } from './turns.ts';

/** The end of the messages counts as in view within this distance, in pixels. */
const NEAR_END_PX = 40;

/** The messages of a room. The page follows an answer only while its end is in view. */
export function RoomView({ conversation }: { conversation: Conversation }) {
  const words = t().chat;
  const { turns, error, isLoaded, hasOlder, isBusy } = conversation;
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const olderError = useSignal<unknown>(undefined);
  const content = useRef<HTMLDivElement>(null);
  const follow = () => {
    if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  };
  useLayoutEffect(follow, [turns.value]);
  useEffect(() => {
    // Messages get their height when they come into view, and images when they are loaded.
    const observer = new ResizeObserver(follow);
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => announce(statusOf(turns.value.at(-1), isBusy.value)), [isBusy.value]);
  const loadOlder = async () => {
    const height = list.current?.scrollHeight ?? 0;
    follows.current = false;
    await conversation.loadOlder();
    // What one reads stays where it is.
    if (list.current) list.current.scrollTop += list.current.scrollHeight - height;
  };
  return (
    <div
      class="messages"
      ref={list}
      tabIndex={0}
      role="region"
      aria-label={words.messages}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        (follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX)
      }
    >
      <div ref={content}>
        {error.value !== undefined && (
          <ErrorProblem error={error.value} onAct={() => void conversation.load()} />
        )}
        {!isLoaded.value && turns.value.length === 0 && error.value === undefined && <Skeleton />}
        {olderError.value !== undefined && <ErrorProblem error={olderError.value} />}
        {hasOlder.value && (
          <button
            type="button"
            onClick={() => void loadOlder().catch((thrown: unknown) => (olderError.value = thrown))}
          >
            {words.older}
          </button>
        )}
        {turns.value.map((turn, index) => (
          <Message
            key={turn.id ?? `new-${index}`}
            turn={turn}
            onRepeat={
              index === turns.value.length - 1 && turn.state === 'broken'
                ? () => void conversation.repeat()
                : undefined
            }
          />
        ))}
      </div>
    </div>
  );
}

function statusOf(turn: Turn | undefined, isBusy: boolean): string {
  if (!turn) return '';
  if (isBusy) return t().chat.answering;
  return turn.state === 'done'
    ? t().chat.ready(rubles(turn.cost.request + turn.cost.response))
    : '';
}
