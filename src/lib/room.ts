/** A place in a budget of memory. */
export interface Room {
  /** @throws DomainError `overloaded` when the bytes do not fit */
  add(bytes: number): void;
  release(): void;
}
