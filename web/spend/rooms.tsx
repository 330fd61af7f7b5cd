import { call } from '../api/client.ts';
import { hrefOf } from '../app/routes.ts';
import { t } from '../i18n/index.ts';
import { micro, sumOf } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Shares } from './shares.tsx';

const SHOWN = 10;

/** The rooms with the largest spend since they were opened. */
export function Rooms() {
  const words = t().spend;
  const loaded = useLoaded((signal) => call('/account/usage/rooms/', { limit: SHOWN }, { signal }));
  return (
    <Show of={loaded}>
      {({ rooms, total_spend: all }) => {
        const total = micro(all);
        const others = total - sumOf(rooms.map(({ spend }) => spend));
        const rows = rooms.map((room) => ({
          id: room.room_id,
          spend: micro(room.spend),
          name: room.is_deleted ? (
            words.deletedRoom
          ) : (
            <a href={hrefOf(`chat/${room.room_id}`)} dir="auto">
              {room.title === '' ? t().chat.untitled : room.title}
            </a>
          ),
        }));
        if (others > 0) rows.push({ id: '', spend: others, name: words.others });
        return (
          <Shares title={words.byRoom} first={words.room} rows={rows} total={total}>
            <p class="small">{words.roomsHint}</p>
          </Shares>
        );
      }}
    </Show>
  );
}
