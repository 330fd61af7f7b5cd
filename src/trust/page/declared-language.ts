/** The places where a page may declare its language, starting with the one that says most about its text. */
const places = ['lang', 'xml:lang', 'meta', 'header', 'og:locale'] as const;
type Place = (typeof places)[number];

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/;
/** Tags that name no language: undetermined, several, no words. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'mul', 'zxx']);

/** The language that a page declares. Of two declarations in the same place, the first counts. */
export class DeclaredLanguage {
  readonly #tags = new Map<Place, string>();

  /**
   * @param value the declaration; anything other than one tag is ignored, such as a list for several kinds of reader
   */
  add(place: Place, value: string | undefined): void {
    const tag = value?.trim().toLowerCase().replaceAll('_', '-') ?? '';
    if (this.#tags.has(place) || !TAG.test(tag) || NO_LANGUAGE.has(tag)) return;
    this.#tags.set(place, tag);
  }

  /** A tag such as `ru` or `en-gb`; null if none is declared. */
  get language(): string | null {
    const place = places.find((one) => this.#tags.has(one));
    return (place && this.#tags.get(place)) ?? null;
  }
}
