import Counter from 'prom-client/lib/counter.js';
import type Registry from 'prom-client/lib/registry.js';

type Label = string | number;

interface Count {
  labels: Record<string, Label>;
  /** Since it was poured into the counter last. */
  value: number;
}

/**
 * A Prometheus counter for the hottest path: an addition costs a look-up by each label's value,
 * and the counter itself, which sorts and hashes its labels every time, only hears of it when it is read.
 */
export class Tally {
  readonly #labelNames: string[];
  /** By the first label's value and the second's. */
  readonly #counts = new Map<Label, Map<Label, Count>>();

  constructor(
    registry: Registry,
    name: string,
    help: string,
    labelNames: [string] | [string, string],
  ) {
    this.#labelNames = labelNames;
    const counts = this.#counts;
    const counter: Counter = new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect(): void {
        for (const ofFirst of counts.values()) {
          for (const count of ofFirst.values()) {
            counter.inc(count.labels, count.value);
            count.value = 0;
          }
        }
      },
    });
  }

  /**
   * Few distinct values: each stays for ever.
   * @param second left out where there is but one label
   */
  add(by: number, first: Label, second: Label = ''): void {
    const known = this.#counts.get(first)?.get(second) ?? this.#open(first, second);
    known.value += by;
  }

  #open(first: Label, second: Label): Count {
    const labels = this.#labelNames.map((name, index) => [name, index === 0 ? first : second]);
    const count = { labels: Object.fromEntries(labels), value: 0 };
    const ofFirst = this.#counts.get(first) ?? new Map<Label, Count>();
    this.#counts.set(first, ofFirst.set(second, count));
    return count;
  }
}
