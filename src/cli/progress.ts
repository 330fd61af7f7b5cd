import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

export interface Step {
  name: string;
  done: number;
  /** Undefined: unknown. */
  total: number | undefined;
  /** Items a second. Absent: of `done`, since the step began. */
  rate?: number;
}

const BAR_CELLS = 24;
/** The time between two plain lines of a step, if no bar is drawn. */
const LINE_MS = 10_000;

/**
 * Runs work that reports its steps, and completes the bar before the result or error is printed. On a terminal it draws
 * a bar with the rate and the time left; elsewhere it prints a line every 10 s, in JSON with `--json`.
 */
export async function withProgress<T>(
  { terminal, output }: { terminal: Terminal; output: Output },
  work: (update: (step: Step) => void) => Promise<T>,
): Promise<T> {
  const hasBar = terminal.interactive && !output.json;
  let [name, startedAt, printedAt] = ['', 0, 0];
  let printed = Promise.resolve();
  const update = (step: Step): void => {
    const now = performance.now();
    const isNew = step.name !== name;
    if (isNew) [name, startedAt] = [step.name, now];
    const text = describe(step, Math.max(0.001, (now - startedAt) / 1000), hasBar);
    if (hasBar) {
      // Each step keeps its last state on a separate line.
      const line = `${isNew ? '\n' : ''}\r\u001B[K${text}`;
      printed = printed.then(() => terminal.writeError(line));
    } else if (isNew || now - printedAt > LINE_MS || step.done === step.total) {
      printedAt = now;
      const view = { step: name, done: step.done, total: step.total ?? null };
      printed = printed.then(() => output.progress(view, text));
    }
  };
  try {
    return await work(update);
  } finally {
    await printed;
    if (hasBar && name !== '') await terminal.writeError('\n');
  }
}

function describe(step: Step, seconds: number, withBar: boolean): string {
  const { name, done, total, rate = done / seconds } = step;
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
