/** Sends heavy messages on all connections that a user may have, at once. */
import { LAST_EVENT } from '../support/over-socket.ts';
import { heavyMessages, type HeavyMessages } from './messages.ts';
import { RawSocket } from './socket-client.ts';

/** A message without an answer within this time counts as unanswered. */
export const PATIENCE_MS = 120_000;
/** Too many large messages: try again later. */
const TRY_AGAIN_LATER = 1013;

export interface SocketPlan {
  url: string;
  token: string;
  /** The size of a message, as a share of the largest allowed one. */
  share: number;
  connections: number;
}

/** @returns the problems of the answers, one line each */
export async function attackBySockets({
  url,
  token,
  share,
  connections,
}: SocketPlan): Promise<{ requests: number; wrong: string[] }> {
  const wrong: string[] = [];
  let requests = 0;
  for (const messages of heavyMessages(share)) {
    const opening = Array.from({ length: connections }, () => new RawSocket().open(url, token));
    const sockets = await Promise.all(opening);
    const problems = await Promise.all(sockets.map((socket) => sendOn(socket, messages)));
    for (const problem of problems) if (problem) wrong.push(`${messages.name}: ${problem}`);
    requests += connections * (messages.times ?? 1);
    for (const socket of sockets) socket.close();
  }
  return { requests, wrong };
}

/** @returns what is wrong with the answers; undefined if nothing is */
async function sendOn(
  socket: RawSocket,
  { frames, times = 1, isCut = false }: HeavyMessages,
): Promise<string | undefined> {
  let previousId: string | undefined;
  for (let sent = 0; sent < times; sent++) {
    socket.send(frames(previousId));
    const end = await endOf(socket);
    if (!end) return `not answered within ${PATIENCE_MS} ms`;
    if ('closed' in end) {
      const isRight = isCut || end.closed === TRY_AGAIN_LATER;
      return isRight ? undefined : `closed with ${end.closed}`;
    }
    if (isCut) return `not cut, but answered ${end.type}`;
    if (end.status !== undefined && end.status >= 500 && end.status !== 503) {
      return `answered ${end.status}`;
    }
    previousId = end.response?.id;
  }
}

type Answer = { type: string; status?: number; response?: { id: string } };

/** @returns undefined if no answer arrives in time */
async function endOf(socket: RawSocket): Promise<Answer | { closed: number } | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), PATIENCE_MS);
  try {
    for (;;) {
      const news = await Promise.race([socket.next(), late.promise]);
      if (!news || 'closed' in news) return news;
      const event = JSON.parse(news.text) as Answer;
      if (LAST_EVENT.test(event.type)) return event;
    }
  } finally {
    clearTimeout(timer);
  }
}
