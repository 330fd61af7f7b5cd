/** Where a page may say its language, from the one that is most about its text to the one that is least. */
const places = ['lang', 'xml:lang', 'meta', 'header', 'og:locale'] as const;
type Place = (typeof places)[number];

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/;
/** Tags that name no language: undetermined, several, no words. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'mul', 'zxx']);

/** The language that a page declares. Of two declarations in one place, the first counts. */
export class DeclaredLanguage {
  readonly #tags = new Map<Place, string>();

  /** @param value what the page says there; anything but one tag is left out, such as the list of a page for several readers */
  add(place: Place, value: string | undefined): void {
    const tag = value?.trim().toLowerCase().replaceAll('_', '-') ?? '';
    if (this.#tags.has(place) || !TAG.test(tag) || NO_LANGUAGE.has(tag)) return;
    this.#tags.set(place, tag);
  }

  /** A tag such as `ru` or `en-gb`; null where none is declared. */
  get language(): string | null {
    const place = places.find((one) => this.#tags.has(one));
    return (place && this.#tags.get(place)) ?? null;
  }
}
