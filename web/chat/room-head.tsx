import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Room } from '../api/types.ts';
import { navigate } from '../app/routes.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { useDisclosure } from '../ui/disclosure.ts';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { exportRoom } from './export.ts';
import { deleteRoom, nameOf, renameRoom } from './rooms.ts';

const MENU_ID = 'room-menu';

/** The cost of the room, and the actions for it. */
export function RoomHead({ room }: { room: Room }) {
  const words = t().chat;
  const { isOpen, root, button, onKeyDown } = useDisclosure<HTMLDivElement>();
  const isRenaming = useSignal(false);
  const { error, run } = useAction();
  const attempt = (work: () => Promise<void>) => () => {
    isOpen.value = false;
    void run(work);
  };
  const remove = async () => {
    if (!confirm(words.confirmDelete(nameOf(room)))) return;
    await deleteRoom(room.room_id);
    navigate('chat');
  };
  return (
    <>
      <p class="small sum">{words.sum(rubles(micro(room.spend)))}</p>
      <div class="drops" ref={root} onKeyDown={onKeyDown}>
        <button
          type="button"
          ref={button}
          aria-expanded={isOpen.value}
          aria-controls={MENU_ID}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {words.roomMenu}
        </button>
        <div id={MENU_ID} class="dropped" hidden={!isOpen.value}>
          <button type="button" onClick={attempt(async () => void (isRenaming.value = true))}>
            {words.rename}
          </button>
          <button type="button" onClick={attempt(() => exportRoom(room, 'md'))}>
            {words.exportMarkdown}
          </button>
          <button type="button" onClick={attempt(() => exportRoom(room, 'json'))}>
            {words.exportJson}
          </button>
          <button type="button" onClick={attempt(remove)}>
            {words.delete}
          </button>
        </div>
      </div>
      {isRenaming.value && <Rename room={room} onEnd={() => (isRenaming.value = false)} />}
      <ErrorProblem error={error.value} />
    </>
  );
}

/** A title of the user's own. */
function Rename({ room, onEnd }: { room: Room; onEnd: () => void }) {
  const words = t().chat;
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    await renameRoom(room.room_id, fields('title'));
    onEnd();
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.select(), []);
  return (
    <form class="rename row" ref={form} onSubmit={onSubmit}>
      <Field
        label={words.newTitle}
        name="title"
        defaultValue={room.title}
        maxLength={200}
        dir="auto"
        required
      />
      <button type="submit" class="primary" disabled={isBusy.value}>
        {words.save}
      </button>
      <button type="button" onClick={onEnd}>
        {t().cancel}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}
