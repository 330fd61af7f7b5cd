import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../app/routes.ts';
import { dateTime, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { hasMoreRooms, loadMoreRooms, nameOf, rooms } from './rooms.ts';
import { SearchResults } from './search.tsx';

/** A search begins when nothing has been typed for this time. */
const PAUSE_MS = 250;

interface RoomListProps {
  id: string;
  /** The id of the room shown. */
  current: string;
}

/** A search field with the results below it; without a query, the rooms. */
export function RoomList({ id, current }: RoomListProps) {
  const words = t().chat;
  const typed = useSignal('');
  const query = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => (query.value = typed.value.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  // The server refuses a query without words.
  const isSearch = /[\p{L}\p{N}]/u.test(query.value);
  return (
    <nav class="rooms" id={id} aria-label={words.rooms}>
      <a class="button" href={hrefOf('chat')}>
        {words.newRoom}
      </a>
      <Field
        type="search"
        label={words.search}
        value={typed.value}
        maxLength={200}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      {isSearch ? (
        <SearchResults query={query.value} current={current} />
      ) : (
        <Rooms current={current} />
      )}
    </nav>
  );
}

/** The rooms, the most recently used first. */
function Rooms({ current }: { current: string }) {
  const words = t().chat;
  const { error, run } = useAction();
  const more = () => void run(loadMoreRooms);
  return (
    <>
      <ErrorProblem error={error.value} />
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
    </>
  );
}
