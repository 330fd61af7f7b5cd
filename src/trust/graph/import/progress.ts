/** The steps of an import, in order. Each is done once, whatever kills the process in between. */
export const importPhases = ['vertices', 'names', 'edges', 'out', 'in', 'checksums'] as const;
export type ImportPhase = (typeof importPhases)[number];

export interface ImportProgress {
  phase: ImportPhase;
  /** Bytes read, as they came (compressed), of `vertices` and `edges`; names, edges or files of the rest. */
  done: number;
  /** Undefined when a server does not tell. */
  total: number | undefined;
  /** Lines of `vertices` and `edges`, else the same as `done`. */
  items: number;
  /** Items a second since the phase began. */
  rate: number;
}

/** Milliseconds between two reports of a phase. */
const REPORT_MS = 200;

/** Reports one phase now and then, and always its end. */
export class ProgressMeter {
  done = 0;
  total: number | undefined;
  items: number | undefined;
  readonly #phase: ImportPhase;
  readonly #report: (progress: ImportProgress) => void;
  readonly #start = performance.now();
  #reportedAt = this.#start;

  constructor(
    phase: ImportPhase,
    total: number | undefined,
    report: (progress: ImportProgress) => void,
  ) {
    this.#phase = phase;
    this.total = total;
    this.#report = report;
  }

  tick(): void {
    const now = performance.now();
    if (now - this.#reportedAt >= REPORT_MS) this.#send(now);
  }

  /** What is done now is all: repeated edges, say, were counted beforehand and are none in the end. */
  end(): void {
    if (this.total !== undefined) this.total = this.done;
    this.#send(performance.now());
  }

  #send(now: number): void {
    this.#reportedAt = now;
    const items = this.items ?? this.done;
    const rate = items / Math.max((now - this.#start) / 1000, 0.001);
    const { done, total } = this;
    this.#report({ phase: this.#phase, done, total, items, rate });
  }
}
