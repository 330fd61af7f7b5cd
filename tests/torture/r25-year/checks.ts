/** This many differing sums are enough to report. */
const SHOWN_MAX = 3;

/** Comparisons of sums: how many there were, and those that failed. */
export class Checks {
  readonly broken: string[] = [];
  #made = 0;

  get made(): number {
    return this.#made;
  }

  same(what: string, found: unknown, expected: unknown): void {
    this.#made++;
    if (Bun.deepEquals(found, expected, true)) return;
    this.broken.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  }

  /** Compares sums by name: a name must have a sum on both sides or on neither. */
  sameSums<T>(
    what: string,
    found: Readonly<Record<string, T>>,
    expected: Readonly<Record<string, T>>,
  ): void {
    this.#made++;
    const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
    const wrong = [...names].filter((name) => !Bun.deepEquals(found[name], expected[name], true));
    for (const name of wrong.slice(0, SHOWN_MAX)) {
      const [is, must] = [JSON.stringify(found[name]), JSON.stringify(expected[name])];
      this.broken.push(`${what}, ${name}: ${is} instead of ${must}`);
    }
    if (wrong.length > SHOWN_MAX) {
      this.broken.push(`${what}: ${wrong.length - SHOWN_MAX} more of ${names.size} sums`);
    }
  }
}
