import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../api/client.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { errorWords } from '../ui/states.tsx';
import { bodyOf, type SendOptions } from './send-options.ts';

/** An estimate is requested when nothing has been typed for this long. */
const ESTIMATE_AFTER_MS = 400;

/**
 * What the message can cost at most, and what it will probably cost, in words; or why it can't be sent.
 * @param pictures how many are sent along
 * @param before the message that it replaces
 */
export function useEstimate(
  roomId: string,
  message: string,
  options: SendOptions | undefined,
  { before, pictures = 0 }: { before?: number | undefined; pictures?: number } = {},
): Signal<string> {
  const words = useSignal('');
  // Only their number counts, so their bytes are not sent.
  const images = Array.from({ length: pictures }, () => 'https://in.the.page/');
  const body = options && {
    ...bodyOf(roomId, message, options),
    images,
    context_before: before ?? null,
  };
  useEffect(() => {
    words.value = '';
    // A room that does not exist yet has no context, and so no estimate.
    if (message.trim() === '' || !body || roomId === '') return undefined;
    const stopper = new AbortController();
    const load = async () => {
      try {
        const estimate = await call('/ai/estimate/', body, { signal: stopper.signal });
        const { cost_max: most, cost_likely: likely } = estimate;
        const [atMost, likelyCost] = [rubles(micro(most)), rubles(micro(likely))];
        // An image has one price.
        words.value = most === likely ? atMost : t().chat.costs(atMost, likelyCost);
      } catch (error) {
        if (error instanceof ApiError) words.value = errorWords(error).words;
      }
    };
    const timer = setTimeout(() => void load(), ESTIMATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stopper.abort();
    };
  }, [JSON.stringify(body)]);
  return words;
}
