import { useMemo } from 'preact/hooks';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Answer } from './answer.tsx';
import type { Conversation } from './conversation.ts';
import { AgainButtons, Edit } from './edit.tsx';
import { Failure } from './failure.tsx';
import { Pictures } from './picture-list.tsx';
import { Running } from './running.tsx';
import { costOf, type Turn } from './turns.ts';

interface MessageProps {
  turn: Turn;
  conversation: Conversation;
  /** Whether later contexts leave it out. */
  isLeftOut: boolean;
}

/** A message and its answer, with their cost. It is not rendered again if it has not changed. */
export function Message({ turn, conversation, isLeftOut }: MessageProps) {
  return useMemo(
    () => <Built turn={turn} conversation={conversation} isLeftOut={isLeftOut} />,
    [turn, conversation, isLeftOut],
  );
}

function Built({ turn, conversation, isLeftOut }: MessageProps) {
  const words = t().chat;
  const isOver = turn.state !== 'streaming';
  return (
    <article
      class={isLeftOut ? 'turn left-out' : 'turn'}
      data-key={turn.key}
      tabIndex={-1}
      aria-label={`${words.you}: ${turn.request.slice(0, 80)}`}
    >
      {isLeftOut && <p class="small">{words.leftOut}</p>}
      {conversation.editing.value === turn.key ? (
        <Edit turn={turn} conversation={conversation} />
      ) : (
        <div class="request" dir="auto">
          {turn.request}
        </div>
      )}
      <Pictures pictures={turn.pictures} />
      <div class="answer" aria-busy={!isOver}>
        <Answer turn={turn} />
        {!isOver && <Running turn={turn} />}
      </div>
      <State turn={turn} />
      {(turn.state === 'failed' || turn.state === 'broken') && (
        <Failure turn={turn} conversation={conversation} />
      )}
      <footer class="small">
        <span>
          <span dir="auto">{turn.model?.model}</span> · <time>{dateTime(turn.at)}</time>
          <Cost turn={turn} />
        </span>
        <span class="acts">
          {isOver && turn.response !== '' && turn.model?.type !== 'IMAGE' && (
            <CopyButton text={turn.response} />
          )}
          <CopyButton text={turn.request} name={words.copyMessage} />
          {isOver && <AgainButtons turn={turn} conversation={conversation} />}
        </span>
      </footer>
    </article>
  );
}

function State({ turn }: { turn: Turn }) {
  const words = t().chat;
  if (turn.state === 'stopped') return <p class="small">{words.stopped}</p>;
  if (turn.state === 'pending') return <p class="small">{words.pending}</p>;
  return (
    <>
      {turn.warnings.map((warning) => (
        <p class="small" key={warning}>
          {warning}
        </p>
      ))}
    </>
  );
}

function Cost({ turn }: { turn: Turn }) {
  const words = t().chat;
  const { cost, tokens, isEstimated, state } = turn;
  if (state === 'streaming' || state === 'broken' || turn.id === undefined) return null;
  return (
    <>
      {' · '}
      <span title={`${rubles(cost.request)} + ${rubles(cost.response)}`}>
        {rubles(costOf(turn))}
        {isEstimated && ` (${words.estimated})`}
      </span>
      {tokens.completion !== '' && (
        <> · {words.tokens(count(tokens.prompt), count(tokens.completion))}</>
      )}
    </>
  );
}

function count(digits: string): string {
  return digits === '' ? '–' : number(Number(digits));
}
