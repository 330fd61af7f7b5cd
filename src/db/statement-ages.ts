/**
 * Detects statements that have been running for long, without an object or a timer for each statement: it counts them
 * by the period in which they began.
 */
export class StatementAges {
  #period = 0;
  #ofThisPeriod = 0;
  #ofTheLast = 0;
  #older = 0;

  /** Call it when a statement begins. @returns the argument for `end` */
  begin(): number {
    this.#ofThisPeriod++;
    return this.#period;
  }

  /** Call it when a statement ends. @param begun the result of `begin` */
  end(begun: number): void {
    const age = this.#period - begun;
    if (age === 0) this.#ofThisPeriod--;
    else if (age === 1) this.#ofTheLast--;
    else this.#older--;
  }

  /** Begins the next period. @returns whether a statement has been running for at least a whole period */
  nextPeriod(): boolean {
    this.#period++;
    this.#older += this.#ofTheLast;
    this.#ofTheLast = this.#ofThisPeriod;
    this.#ofThisPeriod = 0;
    return this.#older > 0;
  }
}
