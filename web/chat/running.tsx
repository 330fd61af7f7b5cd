import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Turn } from './turns.ts';

/** Shows that an answer is being written, and since when. */
export function Running({ turn }: { turn: Turn }) {
  const words = t().chat;
  const seconds = useSignal(0);
  useEffect(() => {
    const begun = performance.now();
    const tick = () => (seconds.value = Math.floor((performance.now() - begun) / 1000));
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);
  const what = turn.model?.type === 'IMAGE' ? words.drawing : words.answering;
  return (
    <p class="small running">
      <span class="cursor" aria-hidden="true" /> {turn.response === '' && `${what} · `}
      {words.seconds(number(seconds.value))}
    </p>
  );
}
