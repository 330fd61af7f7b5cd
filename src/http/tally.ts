import Counter from 'prom-client/lib/counter.js';
import type Registry from 'prom-client/lib/registry.js';

interface Count {
  labels: Record<string, string | number>;
  /** Since it was poured into the counter last. */
  value: number;
}

/**
 * A Prometheus counter for the hottest path: an addition costs one look-up by the joined label values,
 * and the counter itself, which sorts and hashes its labels every time, only hears of it when it is read.
 */
export class Tally {
  readonly #labelNames: string[];
  readonly #counts = new Map<string, Count>();

  constructor(registry: Registry, name: string, help: string, labelNames: string[]) {
    this.#labelNames = labelNames;
    const counts = this.#counts;
    const counter: Counter = new Counter({
      ...{ name, help, labelNames, registers: [registry] },
      collect(): void {
        for (const count of counts.values()) {
          counter.inc(count.labels, count.value);
          count.value = 0;
        }
      },
    });
  }

  /** @param values in the order of the label names; few distinct ones, since each stays for ever */
  add(values: readonly (string | number)[], by = 1): void {
    const name = values.join('|');
    const known = this.#counts.get(name);
    if (known) known.value += by;
    else this.#counts.set(name, { labels: this.#labelled(values), value: by });
  }

  #labelled(values: readonly (string | number)[]): Record<string, string | number> {
    const labels = this.#labelNames.map((label, index) => [label, values[index] ?? '']);
    return Object.fromEntries(labels);
  }
}
