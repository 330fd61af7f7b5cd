/** Shows a growing text, updating it at most once a frame. */
export class FrameText {
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
