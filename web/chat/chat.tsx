import { useEffect } from 'preact/hooks';
import type { AreaProps } from '../app/screens.ts';
import { t } from '../i18n/index.ts';
import { useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Title } from '../ui/title.tsx';
import { Composer } from './composer.tsx';
import { conversationOf } from './conversation.ts';
import { RoomList } from './room-list.tsx';
import { RoomView } from './room-view.tsx';
import { loadModels, loadRooms, rooms } from './rooms.ts';

/** Rooms at the side; the messages of one, and where the next is written. */
export function Chat({ rest: roomId }: AreaProps) {
  const words = t().chat;
  const { error, reload } = useLoaded(() => Promise.all([loadModels(), loadRooms()]));
  const conversation = roomId === '' ? undefined : conversationOf(roomId);
  useEffect(() => {
    if (conversation && !conversation.isBusy.value) void conversation.load();
  }, [conversation]);
  const title = rooms.value.find((room) => room.room_id === roomId)?.title ?? '';
  return (
    <div class="chat">
      <RoomList current={roomId} />
      <section class="conversation" aria-label={words.title}>
        <Title name={title === '' ? words.title : title} />
        {error.value !== undefined && <ErrorProblem error={error.value} onAct={reload} />}
        {conversation ? <RoomView conversation={conversation} /> : <p>{words.empty}</p>}
        <Composer key={roomId} roomId={roomId} />
      </section>
    </div>
  );
}
