/** The phases of an import, in order. A completed phase is not repeated after a kill. */
export const importPhases = ['vertices', 'names', 'edges', 'out', 'in', 'checksums'] as const;
export type ImportPhase = (typeof importPhases)[number];

export interface ImportProgress {
  phase: ImportPhase;
  /** Compressed bytes read in `vertices` and `edges`; names, edges or files in the other phases. */
  done: number;
  /** Undefined if a server does not report it. */
  total: number | undefined;
  /** Lines in `vertices` and `edges`; otherwise the same as `done`. */
  items: number;
  /** Items per second since the phase began. */
  rate: number;
}

/** Milliseconds between two reports of a phase. */
const REPORT_MS = 200;

/** Reports the progress of one phase at intervals, and its end. */
export class ProgressMeter {
  done = 0;
  items: number | undefined;
  readonly #report: (progress: ImportProgress) => void;
  readonly #phase: ImportPhase;
  total: number | undefined;
  readonly #start = performance.now();
  #reportedAt = this.#start;

  constructor(report: (progress: ImportProgress) => void, phase: ImportPhase, total?: number) {
    this.#report = report;
    this.#phase = phase;
    this.total = total;
  }

  tick(): void {
    const now = performance.now();
    if (now - this.#reportedAt >= REPORT_MS) this.#send(now);
  }

  /** Corrects the total: edges, for example, are fewer once repeated ones are merged. */
  end(): void {
    if (this.total !== undefined) this.total = this.done;
    this.#send(performance.now());
  }

  #send(now: number): void {
    this.#reportedAt = now;
    const { done, total, items = done } = this;
    const rate = items / Math.max((now - this.#start) / 1000, 0.001);
    this.#report({ phase: this.#phase, done, total, items, rate });
  }
}
