import '../ui/shared.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { query } from '../app/routes.ts';
import type { AreaProps } from '../app/screens.ts';
import { t } from '../i18n/index.ts';
import { useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Title } from '../ui/title.tsx';
import { Composer } from './composer.tsx';
import { conversationOf } from './conversation.ts';
import { useChatKeys } from './keys.ts';
import { RoomHead } from './room-head.tsx';
import { RoomList } from './room-list.tsx';
import { RoomView } from './room-view.tsx';
import { loadModels, loadRooms, nameOf, rooms } from './rooms.ts';
import { MESSAGE } from './search.tsx';

const ROOMS_ID = 'rooms';

/**
 * Rooms at the side, or behind a button on narrow screens; the messages of one room, and the field for the next
 * message.
 */
export function Chat({ rest: roomId }: AreaProps) {
  const words = t().chat;
  const areRoomsOpen = useSignal(false);
  const { error, reload } = useLoaded(() => Promise.all([loadModels(), loadRooms()]));
  const conversation = roomId === '' ? undefined : conversationOf(roomId);
  useEffect(() => {
    areRoomsOpen.value = false;
    if (conversation && !conversation.isBusy.value) void conversation.load();
  }, [conversation]);
  const target = Number(query.value.get(MESSAGE));
  useEffect(() => {
    if (!conversation || !(target > 0)) return;
    areRoomsOpen.value = false;
    void conversation.reach(target);
  }, [conversation, target]);
  useChatKeys(conversation, () => (areRoomsOpen.value = true));
  const room = rooms.value.find((one) => one.room_id === roomId);
  return (
    <div class="chat" data-rooms={areRoomsOpen.value ? 'open' : 'closed'}>
      <RoomList id={ROOMS_ID} current={roomId} />
      <section class="conversation" aria-label={words.title}>
        <div class="room-head">
          <button
            type="button"
            class="opens-rooms"
            aria-expanded={areRoomsOpen.value}
            aria-controls={ROOMS_ID}
            onClick={() => (areRoomsOpen.value = !areRoomsOpen.value)}
          >
            {words.rooms}
          </button>
          <Title name={room ? nameOf(room) : words.title} />
          {room && <RoomHead key={roomId} room={room} />}
        </div>
        <ErrorProblem error={error.value} onAct={reload} />
        {conversation ? (
          <RoomView key={roomId} conversation={conversation} />
        ) : (
          <p class="messages-frame">{words.empty}</p>
        )}
        <Composer key={roomId} roomId={roomId} />
      </section>
    </div>
  );
}
