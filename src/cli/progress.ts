import type { ProgressView } from '../lib/json-line.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** How far a step of long work is. */
export interface Step {
  name: string;
  done: number;
  /** Undefined: unknown. */
  total: number | undefined;
  /** Items a second. */
  rate: number;
}

const BAR_CELLS = 24;
/** Between two plain lines of one step, where no bar is drawn. */
const LINE_MS = 10_000;

/** Runs work that reports its progress, and ends the bar before the result or error is printed. */
export async function withProgress<T>(
  { terminal, output }: { terminal: Terminal; output: Output },
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = new Progress(terminal, output);
  try {
    return await work(progress);
  } finally {
    await progress.end();
  }
}

/** On a terminal a bar with rate and time left; elsewhere a line every 10 s, in JSON with `--json`. */
class Progress {
  readonly #terminal: Terminal;
  readonly #output: Output;
  #step = '';
  #startedAt = 0;
  #printedAt = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(terminal: Terminal, output: Output) {
    this.#terminal = terminal;
    this.#output = output;
  }

  update(step: Step): void {
    const now = performance.now();
    const isNew = step.name !== this.#step;
    if (isNew) {
      this.#step = step.name;
      this.#startedAt = now;
    }
    const seconds = (now - this.#startedAt) / 1000;
    if (this.#hasBar) {
      // Each step keeps its last state on a line of its own.
      return this.#draw(`${isNew ? '\n' : ''}\r\u001B[K${describe(step, seconds, true)}`);
    }
    if (!isNew && now - this.#printedAt <= LINE_MS && step.done !== step.total) return;
    this.#printedAt = now;
    this.#queue = this.#queue.then(() =>
      this.#output.progress(stepView(step), describe(step, seconds, false)),
    );
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    if (this.#hasBar && this.#step !== '') this.#draw('\n');
    await this.#queue;
  }

  get #hasBar(): boolean {
    return this.#terminal.interactive && !this.#output.json;
  }

  #draw(text: string): void {
    this.#queue = this.#queue.then(() => this.#terminal.writeError(text));
  }
}

function stepView({ name, done, total }: Step): ProgressView {
  return { step: name, done, total: total ?? null };
}

function describe({ name, done, total, rate }: Step, seconds: number, withBar: boolean): string {
  const speed = `${Math.round(rate).toLocaleString('en')}/s`;
  if (total === undefined || total === 0) return `${name}: ${done.toLocaleString('en')} ${speed}`;
  const share = Math.min(1, done / total);
  const left = share > 0 && share < 1 ? `, ${duration((seconds / share) * (1 - share))} left` : '';
  const percent = `${(share * 100).toFixed(0)} %`;
  if (!withBar) return `${name}: ${percent}, ${speed}${left}`;
  return `${name.padEnd(10)} ${barOf(share)} ${percent.padStart(5)}  ${speed}${left}`;
}

function barOf(share: number): string {
  const full = Math.round(share * BAR_CELLS);
  return '█'.repeat(full) + '·'.repeat(BAR_CELLS - full);
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
