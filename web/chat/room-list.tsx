import { useSignal } from '@preact/signals';
import type { Room } from '../api/types.ts';
import { hrefOf, navigate } from '../app/routes.ts';
import { dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { ErrorProblem } from '../ui/states.tsx';
import { deleteRoom, hasMoreRooms, loadMoreRooms, rooms } from './rooms.ts';

/** The rooms, the most recently used first. */
export function RoomList({ current }: { current: string }) {
  const words = t().chat;
  const error = useSignal<unknown>(undefined);
  const attempt = (work: Promise<void>) =>
    void work.catch((thrown: unknown) => (error.value = thrown));
  const remove = async (room: Room) => {
    if (!confirm(words.confirmDelete(nameOf(room)))) return;
    await deleteRoom(room.room_id);
    if (room.room_id === current) navigate('chat');
  };
  return (
    <nav class="rooms" aria-label={words.rooms}>
      <a class="button" href={hrefOf('chat')}>
        {words.newRoom}
      </a>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      <ul>
        {rooms.value.map((room) => (
          <li key={room.room_id}>
            <a
              href={hrefOf(`chat/${room.room_id}`)}
              aria-current={room.room_id === current ? 'page' : undefined}
            >
              <span dir="auto">{nameOf(room)}</span>
              <span class="small">
                {rubles(micro(room.spend))} · {dateTime(room.last_used_at)}
              </span>
            </a>
            <button
              type="button"
              aria-label={`${words.delete}: ${nameOf(room)}`}
              onClick={() => attempt(remove(room))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {hasMoreRooms.value && (
        <button type="button" onClick={() => attempt(loadMoreRooms())}>
          {words.more}
        </button>
      )}
    </nav>
  );
}

function nameOf({ title }: Room): string {
  return title === '' ? t().chat.untitled : title;
}
