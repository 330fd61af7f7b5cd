import { PIECE_BYTES } from './event-stream.ts';

const encoder = new TextEncoder();
const nothing = new Uint8Array();

type Controller = ReadableStreamDefaultController<Uint8Array>;

/**
 * An answer that is made in pieces, so that a large one does not fill the memory: each piece is made when the client
 * has taken the previous one.
 */
export class PieceStream implements Bun.UnderlyingSource<Uint8Array> {
  readonly #pieces: AsyncGenerator<string>;
  readonly #now: () => number;
  readonly #onClosed: () => void;
  /** The part of the last piece that has not been handed over yet. */
  #rest: Uint8Array = nothing;
  /** When the current piece became ready for the client, by the monotonic clock; undefined while a piece is made. */
  #readyAt: number | undefined;
  #controller: Controller | undefined;

  /** @param onClosed called once, at the end, or when the client has left */
  constructor(pieces: AsyncGenerator<string>, now: () => number, onClosed: () => void) {
    this.#pieces = pieces;
    this.#now = now;
    this.#onClosed = onClosed;
  }

  response(headers: Readonly<Record<string, string>>): Response {
    return new Response(new ReadableStream(this), { headers });
  }

  start(controller: Controller): void {
    this.#controller = controller;
  }

  async pull(controller: Controller): Promise<void> {
    this.#readyAt = undefined;
    try {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next();
        if (done) {
          this.#onClosed();
          return controller.close();
        }
        this.#rest = encoder.encode(value);
      }
      controller.enqueue(this.#rest.subarray(0, PIECE_BYTES));
      this.#rest = this.#rest.subarray(PIECE_BYTES);
      this.#readyAt = this.#now();
    } catch (error) {
      this.cut(error);
    }
  }

  /** The client has left. */
  cancel(): void {
    this.#end();
  }

  /** For how long the client has not taken the piece that is ready. */
  get stalledMs(): number {
    return this.#readyAt === undefined ? 0 : this.#now() - this.#readyAt;
  }

  /** Cuts the connection: after a clean end, the client would take a part for the whole. */
  cut(error: unknown): void {
    this.#controller?.error(error);
    this.#end();
  }

  #end(): void {
    this.#rest = nothing;
    this.#readyAt = undefined;
    this.#onClosed();
    void this.#pieces.return(undefined).catch(() => undefined);
  }
}
