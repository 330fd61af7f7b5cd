import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, call } from '../api/client.ts';
import { navigate } from '../app/routes.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { errorWords } from '../ui/states.tsx';
import { bodyOf, conversationOf, type SendOptions } from './conversation.ts';
import { ModelPicker } from './model-picker.tsx';
import { createRoom, models } from './rooms.ts';
import { choices, Settings } from './settings.tsx';

/** An estimate is asked for when nothing was typed for so long. */
const ESTIMATE_AFTER_MS = 400;

/** Where a message is written: its draft, what it can cost, Send or Stop. */
export function Composer({ roomId }: { roomId: string }) {
  const words = t().chat;
  const conversation = conversationOf(roomId);
  const { text, write } = useDraft(roomId);
  const problem = useSignal<unknown>(undefined);
  const options = optionsNow();
  const estimate = useEstimate(roomId, text.value, options);
  const isBusy = conversation.isBusy.value;
  const send = async () => {
    const message = text.value;
    if (!options || isBusy || message.trim() === '') return;
    problem.value = undefined;
    try {
      const target = roomId === '' ? await createRoom() : roomId;
      write('');
      if (target !== roomId) navigate(`chat/${target}`);
      await conversationOf(target).send(message, options);
    } catch (error) {
      write(message);
      problem.value = error;
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="row">
        <ModelPicker />
        <Settings />
      </div>
      <textarea
        aria-label={words.message}
        placeholder={words.message}
        rows={3}
        dir="auto"
        value={text.value}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') conversation.stop();
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      {problem.value !== undefined && (
        <p class="error" role="alert">
          {errorWords(problem.value).words}
        </p>
      )}
      <div class="send">
        <span class="small">{estimate.value}</span>
        {isBusy ? (
          <button type="button" onClick={() => conversation.stop()}>
            {words.stop}
          </button>
        ) : (
          <button type="submit" class="primary" disabled={!options || text.value.trim() === ''}>
            {words.send}
          </button>
        )}
      </div>
    </form>
  );
}

/** Undefined while no model can be used. */
function optionsNow(): SendOptions | undefined {
  const model = models.value.find(({ id }) => id === choices.value.model) ?? models.value[0];
  if (!model) return undefined;
  const { systemPrompt, depth, temperature, maxOutputTokens, seed } = choices.value;
  return { model, systemPrompt, depth, temperature, maxOutputTokens, seed };
}

function draftKey(roomId: string): string {
  return `draft ${roomId}`;
}

/** What is being written in a room. It outlives a reload, not the tab. */
function useDraft(roomId: string) {
  const text = useSignal(sessionStorage.getItem(draftKey(roomId)) ?? '');
  // At once: the page may be gone before an effect runs.
  const write = (value: string) => {
    text.value = value;
    if (value === '') sessionStorage.removeItem(draftKey(roomId));
    else sessionStorage.setItem(draftKey(roomId), value);
  };
  return { text, write };
}

/** What the message can cost at most, in words; or why it can't be sent. */
function useEstimate(roomId: string, message: string, options: SendOptions | undefined) {
  const words = useSignal('');
  const last = useRef<AbortController>(undefined);
  useEffect(() => {
    last.current?.abort();
    words.value = '';
    // A room that does not exist yet has no context, and so no estimate.
    if (message.trim() === '' || !options || roomId === '') return undefined;
    const stopper = new AbortController();
    last.current = stopper;
    const ask = async () => {
      try {
        const body = bodyOf(roomId, message, options);
        const { cost_max: most } = await call('/ai/estimate/', body, {
          signal: stopper.signal,
        });
        words.value = t().chat.atMost(rubles(micro(most)));
      } catch (error) {
        if (error instanceof ApiError) words.value = errorWords(error).words;
      }
    };
    const timer = setTimeout(() => void ask(), ESTIMATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [roomId, message, options?.model.id, choices.value]);
  return words;
}
