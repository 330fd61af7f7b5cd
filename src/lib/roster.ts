/** A value's place in a roster, by which it is removed. */
export interface Member<T> {
  readonly value: T;
  place: number;
}

/**
 * A collection of what comes and goes with each request. In a `Set` or `Map` such values would outlive their request:
 * JavaScriptCore replaces the table of a set in which many entries were deleted, and the old table refers to the new
 * one. Once a collection of young objects has kept one of these tables, it keeps all later ones with what was in them,
 * until the next full collection (docs/decisions/2026-11-29-no-sets-of-what-comes-and-goes.md).
 */
export class Roster<T> {
  readonly #members: Member<T>[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(value: T): Member<T> {
    const member = { value, place: this.#members.length };
    this.#members.push(member);
    return member;
  }

  /** Does nothing if the member was removed before. */
  remove(member: Member<T>): void {
    const { place } = member;
    if (this.#members[place] !== member) return;
    const last = this.#members.pop();
    if (!last || last === member) return;
    last.place = place;
    this.#members[place] = last;
  }

  /** The values at this moment, in no particular order. */
  values(): T[] {
    return this.#members.map(({ value }) => value);
  }
}
