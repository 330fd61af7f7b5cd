/** Signals and the end of the process. Only this folder and `main.ts` touch it. */

const EXIT_FAILED = 1;

export function exitNow(code: number): never {
  process.exit(code);
}

/** Resolves with the first SIGTERM or SIGINT; a second one ends the process at once. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let isRequested = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isRequested) process.exit(EXIT_FAILED);
        isRequested = true;
        resolve();
      });
    }
  });
}

/** Runs long work, whose signal is aborted by the first SIGTERM or SIGINT. */
export function untilStopRequested<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  void stopRequested().then(() => stop.abort());
  return work(stop.signal);
}

/** Ends a command together with the server that started it: nobody else could stop it or read its result. */
export function exitWithParent(): void {
  if (process.connected) process.once('disconnect', () => process.exit(EXIT_FAILED));
}

/**
 * Ends the process after an error that nothing handled: its state may be wrong. The next start closes open messages.
 * @param report is called first
 */
export function exitOnUnhandled(report: (error: unknown) => void): void {
  const end = (error: unknown): never => {
    report(error);
    process.exit(EXIT_FAILED);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
