import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, isOffline } from '../api/client.ts';
import { navigate } from '../app/routes.ts';
import { enterBreaks } from '../app/shortcuts.ts';
import { t } from '../i18n/index.ts';
import { errorWords } from '../ui/states.tsx';
import { conversationOf } from './conversation.ts';
import { useDraft } from './draft.ts';
import { useEstimate } from './estimate.ts';
import { ModelFacts, ModelPicker } from './model-picker.tsx';
import { ChosenPictures, useChosenPictures } from './picture-list.tsx';
import { createRoom } from './rooms.ts';
import { optionsNow, Settings } from './settings.tsx';

/** Whether the user continues to write in a room that a message has just opened. */
let goesOn = false;

/** The field for a message: its draft, its possible cost, Send or Stop. */
export function Composer({ roomId }: { roomId: string }) {
  const words = t().chat;
  const conversation = conversationOf(roomId);
  const { text, write } = useDraft(roomId);
  const problem = useSignal<unknown>(undefined);
  const options = optionsNow();
  const { pictures, takes, chosen, handlers } = useChosenPictures(options?.model);
  const estimate = useEstimate(roomId, text.value, options, { pictures: chosen.length });
  const isBusy = conversation.isBusy.value;
  const canSend = options !== undefined && !isOffline.value && text.value.trim() !== '';
  const send = async () => {
    const message = text.value;
    if (!options || isBusy || message.trim() === '') return;
    problem.value = undefined;
    try {
      const target = roomId === '' ? await createRoom() : roomId;
      write('');
      pictures.value = [];
      if (target !== roomId) {
        goesOn = true;
        navigate(`chat/${target}`);
      }
      await conversationOf(target).send(message, options, chosen);
    } catch (error) {
      write(message);
      pictures.value = chosen;
      problem.value = error;
    }
  };
  return (
    <form
      class="composer"
      {...handlers}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {roomId === '' && <Examples onChoose={write} />}
      <div class="choices">
        <ModelPicker />
        <Settings />
      </div>
      <ModelFacts />
      <MessageField
        text={text.value}
        write={write}
        onSend={() => canSend && void send()}
        onEditLast={() => conversation.editLast()}
      />
      {takes && <ChosenPictures pictures={pictures} />}
      {problem.value !== undefined && (
        <p class="error" role="alert">
          {problem.value instanceof ApiError && errorWords(problem.value).words}
        </p>
      )}
      <div class="send">
        <span class="small">{isOffline.value ? words.waitsForConnection : estimate.value}</span>
        <SendOrStop
          canSend={canSend}
          onStop={isBusy ? () => conversation.stop() : undefined}
          problem={problem}
        />
      </div>
    </form>
  );
}

interface SendOrStopProps {
  canSend: boolean;
  /** Absent while no answer is being written. */
  onStop: (() => Promise<void>) | undefined;
  problem: Signal<unknown>;
}

function SendOrStop({ canSend, onStop, problem }: SendOrStopProps) {
  const words = t().chat;
  if (!onStop) {
    return (
      <button type="submit" class="primary" disabled={!canSend}>
        {words.send}
      </button>
    );
  }
  const stop = () => void onStop().catch((thrown: unknown) => (problem.value = thrown));
  return (
    <button type="button" onClick={stop}>
      {words.stop}
    </button>
  );
}

interface MessageFieldProps {
  text: string;
  write: (value: string) => void;
  onSend: () => void;
  /** Called for the Up key in an empty field. */
  onEditLast: () => void;
}

function MessageField({ text, write, onSend, onEditLast }: MessageFieldProps) {
  const words = t().chat;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (goesOn) field.current?.focus();
    goesOn = false;
  }, []);
  return (
    <textarea
      ref={field}
      aria-label={words.message}
      aria-description={enterBreaks.value ? t().shortcuts.enterBreaks : words.enterSends}
      placeholder={words.message}
      rows={3}
      dir="auto"
      value={text}
      onInput={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp' && text === '') onEditLast();
        if (event.key !== 'Enter' || event.isComposing) return;
        if (event.shiftKey !== enterBreaks.value) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}

/** Shows new users what they can write. */
function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const words = t().chat;
  return (
    <div class="examples">
      <p class="small">{words.examplesTitle}:</p>
      {words.examples.map((example) => (
        <button key={example} type="button" onClick={() => onChoose(example)}>
          {example}
        </button>
      ))}
    </div>
  );
}
