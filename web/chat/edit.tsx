import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import type { Conversation } from './conversation.ts';
import { useEstimate } from './estimate.ts';
import { takesPictures } from './pictures.ts';
import { modelNow, optionsNow } from './settings.tsx';
import type { Turn } from './turns.ts';

interface EditProps {
  turn: Turn;
  conversation: Conversation;
}

/** What the estimate of another try of the message needs. */
function estimated({ id, pictures }: Turn) {
  return { before: id, pictures: takesPictures(modelNow()) ? pictures.length : 0 };
}

/** Buttons that ask for another answer, or open the message for editing. */
export function AgainButtons({ turn, conversation }: EditProps) {
  const words = t().chat;
  const options = optionsNow();
  // Requested only when somebody is about to press the button: a room has many such buttons.
  const isNear = useSignal(false);
  const { roomId } = conversation;
  const estimate = useEstimate(roomId, isNear.value ? turn.request : '', options, estimated(turn));
  const near = () => (isNear.value = true);
  if (turn.id === undefined || !options || conversation.isBusy.value) return null;
  return (
    <>
      <button
        type="button"
        title={estimate.value}
        onFocus={near}
        onPointerEnter={near}
        onClick={() => void conversation.again(turn, turn.request, options)}
      >
        {words.askAgain}
      </button>
      <button type="button" onClick={() => (conversation.editing.value = turn.key)}>
        {words.edit}
      </button>
    </>
  );
}

/** Edits a message that was sent: it is sent in place of the old one, which stays in the history. */
export function Edit({ turn, conversation }: EditProps) {
  const words = t().chat;
  const text = useSignal(turn.request);
  const estimate = useEstimate(conversation.roomId, text.value, optionsNow(), estimated(turn));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const close = () => (conversation.editing.value = undefined);
  const send = () => {
    const options = optionsNow();
    if (!options || text.value.trim() === '') return;
    close();
    void conversation.again(turn, text.value, options);
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <textarea
        ref={field}
        aria-label={words.edit}
        rows={4}
        dir="auto"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        {words.send}
      </button>{' '}
      <button type="button" onClick={close}>
        {t().cancel}
      </button>{' '}
      <span class="small">{estimate.value}</span>
    </form>
  );
}
