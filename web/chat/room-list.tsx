import { useSignal } from '@preact/signals';
import { hrefOf } from '../app/routes.ts';
import { dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { ErrorProblem } from '../ui/states.tsx';
import { hasMoreRooms, loadMoreRooms, nameOf, rooms } from './rooms.ts';

/** The rooms, the most recently used first. */
export function RoomList({ id, current }: { id: string; current: string }) {
  const words = t().chat;
  const error = useSignal<unknown>(undefined);
  const more = () => void loadMoreRooms().catch((thrown: unknown) => (error.value = thrown));
  return (
    <nav class="rooms" id={id} aria-label={words.rooms}>
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
          </li>
        ))}
      </ul>
      {hasMoreRooms.value && (
        <button type="button" onClick={more}>
          {words.more}
        </button>
      )}
    </nav>
  );
}
