import { batch, signal } from '@preact/signals';
import { ApiError, call, isSessionOver } from '../api/client.ts';
import { streamSend } from '../api/stream.ts';
import type { HistoryItem } from '../api/types.ts';
import { refreshAccount } from '../app/balance.ts';
import { FrameText } from './frame-text.ts';
import { type Picture, sentPictures, takesPictures } from './pictures.ts';
import { Reconnect } from './reconnect.ts';
import { loadRooms, models } from './rooms.ts';
import { bodyOf, type SendOptions } from './send-options.ts';
import { forgetSent, keepSent, keptSent, type Sent } from './sent.ts';
import { PAGE, TurnWindow } from './turn-window.ts';
import { newTurn, settled, type Turn, turnOfHistory } from './turns.ts';

/** How many messages are requested at a time on the way to an old one. */
const REACH_PAGE = 500;

/** Other tabs of this browser show the same rooms. */
const tabs = new BroadcastChannel('zastava-rooms');

function tellTabs(roomId: string): void {
  // The rule is for windows, whose messages need a target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage(roomId);
}

/** One room: its messages, and the answer that is being written. It continues when another room is shown. */
export class Conversation {
  readonly roomId: string;
  readonly window = new TurnWindow();
  /** Whether the server has older messages than are loaded. */
  readonly hasOlder = signal(false);
  readonly isLoaded = signal(false);
  readonly error = signal<unknown>(undefined);
  /** True while an answer is being written. */
  readonly isBusy = signal(false);
  /** The key of the message that is being edited. */
  readonly editing = signal<string | undefined>(undefined);
  /** The key of the message to which the page should scroll. */
  readonly reached = signal<string | undefined>(undefined);
  #loading: Promise<void> = Promise.resolve();
  readonly #reconnect = new Reconnect();
  #leaver: AbortController | undefined;
  #last: Sent | undefined;

  constructor(roomId: string) {
    this.roomId = roomId;
  }

  /** Loads the newest messages. */
  load(): Promise<void> {
    return (this.#loading = this.#load());
  }

  /** Loads older messages until this one is loaded, and puts it into the page. Errors are shown. */
  async reach(id: number): Promise<void> {
    await this.#loading;
    try {
      while (this.hasOlder.value && !this.#isLoadedBack(id)) {
        const items = await this.#page(this.#oldest(), REACH_PAGE);
        batch(() => {
          this.window.prepend(items.map(turnOfHistory));
          this.hasOlder.value = items.length === REACH_PAGE;
        });
      }
    } catch (error) {
      this.error.value = error;
    }
    const turn = this.window.all.value.find((one) => one.id === id);
    if (!turn) return;
    batch(() => {
      this.window.around(turn.key);
      this.reached.value = turn.key;
    });
  }

  #isLoadedBack(id: number): boolean {
    return (this.#oldest() ?? Infinity) <= id;
  }

  /** The id of the oldest message that is loaded. */
  #oldest(): number | undefined {
    return this.window.all.value.find((one) => one.id !== undefined)?.id;
  }

  async #load(): Promise<void> {
    try {
      const items = await this.#page();
      batch(() => {
        if (!this.isBusy.value) this.window.replace(items.map(turnOfHistory));
        this.hasOlder.value = items.length === PAGE;
        this.isLoaded.value = true;
        this.error.value = undefined;
      });
      this.#followKept();
    } catch (error) {
      this.error.value = error;
    }
  }

  /** Continues with the answer that was being written when the page was left. */
  #followKept(): void {
    const kept = keptSent(this.roomId);
    if (this.isBusy.value || !kept) return;
    const turn = this.window.all.value.find(({ id }) => id !== undefined && id === kept.id);
    const model = turn?.model ?? models.value.find(({ id }) => id === kept.body.ai);
    if (!model || (turn && turn.state !== 'pending')) return forgetSent(this.roomId);
    const shown = turn ?? newTurn(kept.body.message, model);
    if (!turn) this.window.append(shown);
    this.#last = { ...kept, turn: shown.key };
    this.#change(this.#last, (one) => ({ ...one, state: 'streaming' }));
    void this.#run(this.#last);
  }

  /** Requests messages that another tab or device has sent, until they are answered. @throws ApiError */
  async refreshPending(): Promise<void> {
    const fresh = (await this.#page()).map(turnOfHistory);
    for (const turn of this.window.all.value.filter(({ state }) => state === 'pending')) {
      const now = fresh.find(({ id }) => id === turn.id);
      if (now && now.state !== 'pending') this.window.change(turn.key, () => now);
    }
  }

  /** Shows messages before those in the page, loading them if necessary. @throws ApiError */
  async older(): Promise<void> {
    if (!this.window.hasLoadedOlder.value) {
      const items = await this.#page(this.#oldest());
      batch(() => {
        this.window.prepend(items.map(turnOfHistory));
        this.hasOlder.value = items.length === PAGE;
        this.window.older();
      });
    } else {
      this.window.older();
    }
  }

  async #page(before?: number, limit = PAGE): Promise<HistoryItem[]> {
    const body = { room_id: this.roomId, include_failed: true, limit, before };
    return (await call('/ai/history/', body)).data;
  }

  /** Sends a message. Errors are shown with the message. */
  async send(message: string, options: SendOptions, pictures: readonly Picture[]): Promise<void> {
    const images = await sentPictures(pictures);
    const turn = newTurn(message, options.model, pictures);
    await this.#begin(turn, { ...bodyOf(this.roomId, message, options), images });
  }

  /** Asks for another answer, or sends an edited message: without the old one and the messages after it. */
  async again(old: Turn, message: string, options: SendOptions): Promise<void> {
    const pictures = takesPictures(options.model) ? old.pictures : [];
    const images = await sentPictures(pictures);
    const turn = { ...newTurn(message, options.model, pictures), replaces: old.replaces ?? old.id };
    const body = bodyOf(this.roomId, message, options);
    await this.#begin(turn, { ...body, images, context_before: old.id ?? null });
  }

  /** Opens the last message for editing. */
  editLast(): void {
    const last = this.window.all.value.findLast(({ id }) => id !== undefined);
    if (last && !this.isBusy.value) this.editing.value = last.key;
  }

  async #begin(turn: Turn, body: Sent['body']): Promise<void> {
    this.window.append(turn);
    this.#last = { turn: turn.key, body, key: crypto.randomUUID() };
    await this.#run(this.#last);
  }

  /** Whether a message can be sent again: only the last one, after a failure. */
  canRepeat(turn: Turn): boolean {
    return !this.isBusy.value && turn.key === this.#last?.turn;
  }

  /**
   * Sends the last message again, after it failed or was refused.
   * @param change of the body that was sent
   */
  async repeat(change: Partial<Sent['body']> = {}): Promise<void> {
    const last = this.#last;
    const turn = this.window.all.value.find(({ key }) => key === last?.turn);
    if (!last || !turn?.model) return;
    // The server keeps a message that failed; one that it refused exists only here.
    if (turn.id === undefined) this.window.remove(turn.key);
    const next = { ...newTurn(turn.request, turn.model, turn.pictures), replaces: turn.replaces };
    await this.#begin(next, { ...last.body, ...change });
  }

  /** Stops waiting after a lost connection. */
  reconnect(): void {
    this.#reconnect.now();
  }

  /** Stops the answer that is being written. What came so far is kept and charged. @throws ApiError */
  async stop(): Promise<void> {
    const last = this.#last;
    if (!last || !this.isBusy.value) return;
    const stop = () => call('/ai/stop/', { idempotency_key: last.key });
    try {
      await stop();
      this.#reconnect.now();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      // It has not begun: without its client it does not begin, or it can be stopped now.
      this.#leaver?.abort();
      await stop().catch(() => undefined);
    }
  }

  /** Sends, or follows what was sent, until there is an answer. A broken connection is made again. */
  async #run(sent: Sent): Promise<void> {
    const leaver = new AbortController();
    this.#leaver = leaver;
    this.isBusy.value = true;
    keepSent(this.roomId, sent);
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#stream(sent, leaver.signal);
        break;
      } catch (thrown) {
        const error = thrown instanceof ApiError ? thrown : new ApiError('failed', String(thrown));
        const isBroken = error.code === 'offline' || isSessionOver(error);
        if (leaver.signal.aborted || !isBroken) {
          this.#change(sent, (turn) => ({ ...turn, state: 'failed', error }));
          break;
        }
        this.#change(sent, (turn) => ({ ...turn, state: 'broken', error }));
        await this.#reconnect.wait(attempt);
        this.#change(sent, (turn) => ({ ...turn, state: 'streaming', error: undefined }));
      }
    }
    forgetSent(this.roomId);
    this.isBusy.value = false;
    if (leaver.signal.aborted) await this.load();
    tellTabs(this.roomId);
    void refreshAccount().catch(() => undefined);
    void loadRooms().catch(() => undefined);
  }

  async #stream(sent: Sent, signalOfLeave: AbortSignal): Promise<void> {
    // A client that follows again gets all pieces from the first one; the shown text stays until there is more.
    const shown = new FrameText((text) =>
      this.#change(sent, (turn) =>
        turn.response.startsWith(text) ? turn : { ...turn, response: text },
      ),
    );
    const options = { signal: signalOfLeave, idempotencyKey: sent.key };
    try {
      for await (const event of streamSend({ ...sent.body, detached: true }, options)) {
        if (event.type === 'start') this.#name(sent, event.data.id);
        else if (event.type === 'delta') shown.add(event.data.text);
        else if (event.type === 'done') {
          shown.end();
          this.#change(sent, (turn) => settled(turn, event.data));
        } else {
          const { code, message, request_id: requestId, ...facts } = event.data;
          throw new ApiError(code, message, { requestId, facts });
        }
      }
    } finally {
      shown.end();
    }
  }

  /** Called when the server has accepted the message. */
  #name(sent: Sent, id: number): void {
    if (sent.id === id) return;
    sent.id = id;
    keepSent(this.roomId, sent);
    batch(() => {
      // After a reload, the history already contains it.
      for (const turn of this.window.all.value) {
        if (turn.id === id && turn.key !== sent.turn) this.window.remove(turn.key);
      }
      this.#change(sent, (turn) => ({ ...turn, id }));
    });
    tellTabs(this.roomId);
  }

  #change({ turn }: Sent, change: (turn: Turn) => Turn): void {
    this.window.change(turn, change);
  }
}

const open = new Map<string, Conversation>();

/** The conversation of a room; there is one for each room. */
export function conversationOf(roomId: string): Conversation {
  let found = open.get(roomId);
  if (!found) open.set(roomId, (found = new Conversation(roomId)));
  return found;
}

tabs.addEventListener('message', ({ data }) => {
  const conversation = open.get(String(data));
  if (conversation?.isLoaded.value && !conversation.isBusy.value) void conversation.load();
  void loadRooms().catch(() => undefined);
});
