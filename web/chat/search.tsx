import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { hrefOf, query as parameters } from '../app/routes.ts';
import { dateTime } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { conversationOf } from './conversation.ts';

type Found = Data<'/ai/search/'>;
type Message = Found['messages'][number];

/** The parameter of the URL that names the message at which a room opens. */
export const MESSAGE = 'message';
/** While some messages have not been indexed, the search is repeated after this time. */
const REPEAT_MS = 3_000;

/** The results of a query: rooms by their titles, then messages, each with a link to its place. */
export function SearchResults({ query, current }: { query: string; current: string }) {
  const words = t().chat;
  const loaded = useLoaded((signal) => call('/ai/search/', { query }, { signal }), [query]);
  const found = loaded.data.value;
  useEffect(() => {
    if (!found) return undefined;
    announce(words.found(found.rooms.length + found.messages.length));
    if (found.not_indexed === 0) return undefined;
    const timer = setTimeout(loaded.reload, REPEAT_MS);
    return () => clearTimeout(timer);
  }, [found]);
  return (
    <Show of={loaded}>
      {({ rooms, messages, next, not_indexed: left }) => (
        <>
          {left > 0 && <p class="small">{words.notIndexed(String(left))}</p>}
          {rooms.length + messages.length === 0 && <p>{words.found(0)}</p>}
          <ul>
            {rooms.map((room) => (
              <li key={room.room_id}>
                <a href={hrefOf(`chat/${room.room_id}`)}>
                  <Pieces of={room.pieces} />
                  <span class="small">{dateTime(room.last_used_at)}</span>
                </a>
              </li>
            ))}
            <Messages of={messages} current={current} />
          </ul>
          {next !== null && <Later key={next} query={query} before={next} current={current} />}
        </>
      )}
    </Show>
  );
}

/** A button for the next page, which the page then replaces. */
function Later({ query, before, current }: { query: string; before: number; current: string }) {
  const page = useSignal<Found | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const more = () =>
    void call('/ai/search/', { query, before }).then(
      (found) => (page.value = found),
      (thrown: unknown) => (error.value = thrown),
    );
  if (page.value) {
    const { messages, next } = page.value;
    return (
      <>
        <ul>
          <Messages of={messages} current={current} />
        </ul>
        {next !== null && <Later key={next} query={query} before={next} current={current} />}
      </>
    );
  }
  return (
    <>
      <ErrorProblem error={error.value} />
      <button type="button" onClick={more}>
        {t().chat.moreFound}
      </button>
    </>
  );
}

function Messages({ of: messages, current }: { of: readonly Message[]; current: string }) {
  return (
    <>
      {messages.map(({ room_id: room, message_id: id, title, pieces, created_at: at }) => (
        <li key={`${room} ${id}`}>
          <a
            href={`${hrefOf(`chat/${room}`)}?${MESSAGE}=${id}`}
            onClick={() => {
              // The URL stays the same, but the user may have scrolled away.
              if (room === current && parameters.value.get(MESSAGE) === String(id)) {
                void conversationOf(room).reach(id);
              }
            }}
          >
            <span dir="auto">{title === '' ? t().chat.untitled : title}</span>
            <Pieces of={pieces} />
            <span class="small">{dateTime(at)}</span>
          </a>
        </li>
      ))}
    </>
  );
}

/** A text whose matches are marked. */
function Pieces({ of: pieces }: { of: Message['pieces'] }) {
  return (
    <span class="excerpt" dir="auto">
      {pieces.map(({ text, is_match: isMatch }, at) =>
        isMatch ? <mark key={at}>{text}</mark> : text,
      )}
    </span>
  );
}
