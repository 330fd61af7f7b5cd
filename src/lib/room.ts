/** Reserved memory in a budget. */
export interface Room {
  /** @throws DomainError `overloaded` if the bytes do not fit */
  add(bytes: number): void;
  release(): void;
}
