// Imported by file: the whole package loads an HTTP client and the cluster module, which takes 35 ms at each start.
import Counter from 'prom-client/lib/counter.js';
import type Registry from 'prom-client/lib/registry.js';

type Label = string | number;

interface Count {
  labels: Record<string, Label>;
  /** Since the last scrape. */
  value: number;
}

/**
 * A Prometheus counter for the hot path. An addition costs one look-up per label; the counter itself, which sorts and
 * hashes its labels at each addition, is updated when it is read.
 */
export class Tally {
  readonly #labelNames: string[];
  /** By the first label's value, then the second's. */
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

  /** Each distinct pair stays for ever, so there must be few. @param second omitted for a counter with one label */
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

export interface DistributionOptions {
  name: string;
  help: string;
  /** Absent: without labels. */
  labelName?: string;
  /** The upper ends of the buckets, in rising order. */
  bounds: readonly number[];
}

/** The observed values of one label. */
interface Observed {
  /** How many values are in each bucket; the last bucket has no upper end. */
  counts: number[];
  sum: number;
}

/** A Prometheus histogram for the hot path: the library's own checks and hashes its labels at each observation. */
export class Distribution {
  readonly name: string;
  readonly #options: DistributionOptions;
  /** By the label's value. */
  readonly #observed = new Map<string, Observed>();

  constructor(registry: Registry, options: DistributionOptions) {
    this.name = options.name;
    this.#options = options;
    if (options.labelName === undefined) this.#open('');
    registry.registerMetric(this as never);
  }

  /** Each distinct label stays for ever, so there must be few. */
  observe(value: number, label = ''): void {
    const { bounds } = this.#options;
    const observed = this.#observed.get(label) ?? this.#open(label);
    let bucket = 0;
    while (value > (bounds[bucket] ?? Infinity)) bucket++;
    observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1;
    observed.sum += value;
  }

  #open(label: string): Observed {
    const observed = { counts: Array<number>(this.#options.bounds.length + 1).fill(0), sum: 0 };
    this.#observed.set(label, observed);
    return observed;
  }

  /** Called by the registry. */
  get(): object {
    const { name, help, labelName, bounds } = this.#options;
    const values = [...this.#observed].flatMap(([label, { counts, sum }]) => {
      const labels = labelName === undefined ? {} : { [labelName]: label };
      let count = 0;
      const buckets = counts.map((more, at) => ({
        metricName: `${name}_bucket`,
        labels: { le: bounds[at] ?? '+Inf', ...labels },
        value: (count += more),
      }));
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { name, help, type: 'histogram', values };
  }
}
