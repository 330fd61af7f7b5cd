import { memo } from 'preact/compat';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { errorWords, Problem } from '../ui/states.tsx';
import type { Turn } from './turns.ts';

interface MessageProps {
  turn: Turn;
  /** Sends it again under the same key. */
  onRepeat: (() => void) | undefined;
}

/** A message and its answer, with what it cost. */
export const Message = memo(({ turn, onRepeat }: MessageProps) => {
  const words = t().chat;
  return (
    <article class="turn" aria-label={`${words.you}: ${turn.request.slice(0, 80)}`}>
      <div class="request" dir="auto">
        {turn.request}
      </div>
      <div class="answer" aria-busy={turn.state === 'streaming'}>
        <Answer turn={turn} />
        {turn.state === 'streaming' && <span class="cursor" aria-hidden="true" />}
      </div>
      <State turn={turn} onRepeat={onRepeat} />
      <footer class="small">
        <span dir="auto">{turn.model?.model}</span> · <time>{dateTime(turn.at)}</time>
        <Cost turn={turn} />
        {turn.response !== '' && turn.state !== 'streaming' && <CopyButton text={turn.response} />}
      </footer>
    </article>
  );
});

function Answer({ turn: { response, model } }: { turn: Turn }) {
  if (response === '') return null;
  if (model?.type !== 'IMAGE') return <Markdown text={response} />;
  // Images are ours, by their path; nothing is loaded from elsewhere.
  const path = URL.parse(response)?.pathname ?? '';
  if (!path.startsWith('/images/')) return <Markdown text={response} />;
  return (
    <figure>
      <img src={path} alt={t().chat.image} />
      <figcaption>
        <a href={path} download>
          {t().chat.download}
        </a>
      </figcaption>
    </figure>
  );
}

function State({ turn, onRepeat }: MessageProps) {
  const words = t().chat;
  if (turn.state === 'stopped') return <p class="small">{words.stopped}</p>;
  if (turn.state === 'pending') return <p class="small">{words.pending}</p>;
  if (turn.state === 'broken') {
    return <Problem words={words.broken} {...(onRepeat && { onAct: onRepeat })} />;
  }
  if (turn.state !== 'failed') {
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
  const code = typeof turn.error === 'string' ? turn.error : undefined;
  const { words: reason, requestId } =
    code === undefined
      ? errorWords(turn.error)
      : { words: t().errors[code] ?? code, requestId: undefined };
  return (
    <Problem words={`${reason} ${isFree(turn) ? words.notCharged : ''}`} requestId={requestId} />
  );
}

function isFree({ cost }: Turn): boolean {
  return cost.request + cost.response === 0;
}

function Cost({ turn }: { turn: Turn }) {
  const words = t().chat;
  const { cost, tokens, isEstimated, state } = turn;
  if (state === 'streaming' || state === 'broken') return null;
  const parts = `${rubles(cost.request)} + ${rubles(cost.response)}`;
  return (
    <>
      {' · '}
      <span title={parts}>
        {rubles(cost.request + cost.response)}
        {isEstimated && ` (${words.estimated})`}
      </span>
      {' · '}
      {words.tokens(count(tokens.prompt), count(tokens.completion))}
    </>
  );
}

function count(digits: string): string {
  return digits === '' ? '–' : number(Number(digits));
}
