import { batch, signal } from '@preact/signals';
import { ApiError, type Body, call } from '../api/client.ts';
import { streamSend } from '../api/stream.ts';
import type { HistoryItem, Model } from '../api/types.ts';
import { refreshAccount } from '../app/balance.ts';
import { loadRooms } from './rooms.ts';
import { newTurn, settled, type Turn, turnOfHistory } from './turns.ts';

const PAGE = 50;
/** After a stop, the server settles the message; this often, and so many times, it is asked for the result. */
const SETTLE_POLL_MS = 300;
const SETTLE_POLLS = 20;

/** What a message is sent with, besides its text. */
export interface SendOptions {
  model: Model;
  systemPrompt: string;
  depth: number;
  temperature: number | undefined;
  maxOutputTokens: number | undefined;
  seed: number | undefined;
}

/** The body of a send, and of its estimate. */
export function bodyOf(roomId: string, message: string, options: SendOptions) {
  return {
    room_id: roomId,
    ai: options.model.id,
    message,
    system_prompt: options.systemPrompt === '' ? null : options.systemPrompt,
    chat_depth: options.model.is_chat_mode_allowed === 1 ? options.depth : 0,
    temperature: options.temperature ?? null,
    max_output_tokens: options.maxOutputTokens ?? null,
    seed: options.seed ?? null,
  };
}

/** One room: its messages, and the answer that is being written. It lives on when another room is shown. */
export class Conversation {
  readonly roomId: string;
  /** The oldest first. */
  readonly turns = signal<readonly Turn[]>([]);
  readonly hasOlder = signal(false);
  readonly isLoaded = signal(false);
  readonly error = signal<unknown>(undefined);
  /** True while an answer is being written. */
  readonly isBusy = signal(false);
  #stopper: AbortController | undefined;
  /** The last send, to repeat it under the same key. */
  #last: { body: ReturnType<typeof bodyOf>; key: string } | undefined;

  constructor(roomId: string) {
    this.roomId = roomId;
  }

  /** Loads the newest messages. */
  async load(): Promise<void> {
    try {
      const items = await this.#page();
      batch(() => {
        if (!this.isBusy.value) this.turns.value = items.map(turnOfHistory);
        this.hasOlder.value = items.length === PAGE;
        this.isLoaded.value = true;
        this.error.value = undefined;
      });
    } catch (error) {
      this.error.value = error;
    }
  }

  /** Loads the messages before the oldest one that is shown. @throws ApiError */
  async loadOlder(): Promise<void> {
    const oldest = this.turns.value.find(({ id }) => id !== undefined);
    const items = await this.#page(oldest?.id);
    this.turns.value = [...items.map(turnOfHistory), ...this.turns.value];
    this.hasOlder.value = items.length === PAGE;
  }

  async #page(before?: number, limit = PAGE): Promise<HistoryItem[]> {
    const body = { room_id: this.roomId, include_failed: true, limit, before };
    return (await call('/ai/history/', body)).data;
  }

  /** Sends a message. What goes wrong is shown at the message. */
  async send(message: string, options: SendOptions): Promise<void> {
    this.#last = { body: bodyOf(this.roomId, message, options), key: crypto.randomUUID() };
    this.turns.value = [...this.turns.value, newTurn(message, options.model)];
    await this.#run();
  }

  /** Sends the last message again, under the same key: what was charged is not charged again. */
  async repeat(): Promise<void> {
    if (!this.#last) return;
    this.#change((turn) => ({ ...turn, state: 'streaming', response: '', error: undefined }));
    await this.#run();
  }

  /** Ends the answer that is being written. What came so far is kept and charged. */
  stop(): void {
    this.#stopper?.abort();
  }

  async #run(): Promise<void> {
    if (!this.#last) return;
    const { body, key } = this.#last;
    const stopper = new AbortController();
    this.#stopper = stopper;
    this.isBusy.value = true;
    try {
      await this.#stream(body, key, stopper.signal);
    } catch (error) {
      if (stopper.signal.aborted) await this.#afterStop();
      else this.#fail(error);
    } finally {
      this.isBusy.value = false;
      void refreshAccount().catch(() => undefined);
      void loadRooms().catch(() => undefined);
    }
  }

  async #stream(body: Body<'/ai/send/'>, key: string, signalOfStop: AbortSignal): Promise<void> {
    const shown = new FrameText((text) => this.#change((turn) => ({ ...turn, response: text })));
    try {
      for await (const event of streamSend(body, { signal: signalOfStop, idempotencyKey: key })) {
        if (event.type === 'start') this.#change((turn) => ({ ...turn, id: event.data.id }));
        else if (event.type === 'delta') shown.add(event.data.text);
        else if (event.type === 'done') {
          shown.end();
          this.#change((turn) => settled(turn, event.data));
        } else {
          const { code, message, request_id: requestId } = event.data;
          throw new ApiError(code, message, { requestId });
        }
      }
    } finally {
      shown.end();
    }
  }

  /** A connection that broke may be repeated; any other failure has ended the message. */
  #fail(error: unknown): void {
    const isBroken = error instanceof ApiError && error.code === 'offline';
    this.#change((turn) => ({ ...turn, state: isBroken ? 'broken' : 'failed', error }));
  }

  /** The server has stopped the provider, and settles what was delivered. */
  async #afterStop(): Promise<void> {
    for (let polls = 0; polls < SETTLE_POLLS; polls++) {
      const [item] = await this.#page(undefined, 1).catch(() => []);
      const turn = this.turns.value.at(-1);
      if (item && item.state !== 'pending' && Number(item.message_id) >= (turn?.id ?? 1)) {
        return this.#change(() => turnOfHistory(item));
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS));
    }
    this.#change((turn) => ({ ...turn, state: 'stopped' }));
  }

  /** Changes the message that is being sent, which is the last one. */
  #change(change: (turn: Turn) => Turn): void {
    const turns = this.turns.value;
    const last = turns.at(-1);
    if (last) this.turns.value = [...turns.slice(0, -1), change(last)];
  }
}

/** Shows a growing text at most once a frame. */
class FrameText {
  #text = '';
  #frame: number | undefined;
  readonly #show: (text: string) => void;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  add(piece: string): void {
    this.#text += piece;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#show(this.#text);
    });
  }

  end(): void {
    if (this.#frame === undefined) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#show(this.#text);
  }
}

const open = new Map<string, Conversation>();

/** The conversation of a room; there is one for each room. */
export function conversationOf(roomId: string): Conversation {
  let found = open.get(roomId);
  if (!found) open.set(roomId, (found = new Conversation(roomId)));
  return found;
}
