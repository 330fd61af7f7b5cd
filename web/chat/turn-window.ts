import { batch, computed, signal } from '@preact/signals';
import type { Turn } from './turns.ts';

/** How many messages are added to the page, and requested from the server, at a time. */
export const PAGE = 50;
/** The most messages in the page at a time: more would make scrolling and typing slow. */
export const SHOWN_MAX = 300;

/** The loaded messages of a room; the page shows a part of them. */
export class TurnWindow {
  /** All loaded messages, oldest first. */
  readonly all = signal<readonly Turn[]>([]);
  readonly #start = signal(0);
  readonly #end = signal(0);
  /** The messages in the page. */
  readonly shown = computed(() => this.all.value.slice(this.#start.value, this.#end.value));
  /** Whether newer messages are loaded than those in the page. */
  readonly hasNewer = computed(() => this.#end.value < this.all.value.length);
  /** Whether older messages are loaded than those in the page. */
  readonly hasLoadedOlder = computed(() => this.#start.value > 0);

  /** Replaces the loaded messages with the newest ones. Known messages stay the same objects for the page. */
  replace(turns: readonly Turn[]): void {
    const keys = new Map(this.all.value.map(({ id, key }) => [id, key]));
    batch(() => {
      this.all.value = turns.map((turn) => ({ ...turn, key: keys.get(turn.id) ?? turn.key }));
      this.toEnd();
    });
  }

  /** Adds a new message, and shows the end. */
  append(turn: Turn): void {
    batch(() => {
      this.all.value = [...this.all.value, turn];
      this.toEnd();
    });
  }

  /** Adds older messages after they are loaded. */
  prepend(turns: readonly Turn[]): void {
    batch(() => {
      this.all.value = [...turns, ...this.all.value];
      this.#start.value += turns.length;
      this.#end.value += turns.length;
    });
  }

  /** Changes the message with this key. */
  change(key: string, change: (turn: Turn) => Turn): void {
    this.all.value = this.all.value.map((turn) => (turn.key === key ? change(turn) : turn));
  }

  remove(key: string): void {
    batch(() => {
      this.all.value = this.all.value.filter((turn) => turn.key !== key);
      this.#end.value = Math.min(this.#end.value, this.all.value.length);
    });
  }

  /** Shows older messages that are loaded. */
  older(): void {
    batch(() => {
      this.#start.value = Math.max(0, this.#start.value - PAGE);
      this.#end.value = Math.min(this.#end.value, this.#start.value + SHOWN_MAX);
    });
  }

  /** Shows newer messages that are loaded. */
  newer(): void {
    batch(() => {
      this.#end.value = Math.min(this.all.value.length, this.#end.value + PAGE);
      this.#start.value = Math.max(this.#start.value, this.#end.value - SHOWN_MAX);
    });
  }

  /** Shows a loaded message and those around it. */
  around(key: string): void {
    const at = this.all.value.findIndex((turn) => turn.key === key);
    if (at === -1) return;
    batch(() => {
      this.#start.value = Math.max(0, at - PAGE / 2);
      this.#end.value = Math.min(this.all.value.length, this.#start.value + PAGE);
    });
  }

  /** Shows the newest messages. */
  toEnd(): void {
    const { length } = this.all.value;
    const isNear = this.#end.value >= length - PAGE;
    this.#end.value = length;
    // Messages to which the user has scrolled back stay in the page.
    const start = isNear ? Math.min(this.#start.value, length - PAGE) : length - PAGE;
    this.#start.value = Math.max(0, start, length - SHOWN_MAX);
  }
}
