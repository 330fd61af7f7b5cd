import { constants } from 'node:os';

const stop = new AbortController();
let signalled: keyof typeof constants.signals | undefined;

/** Aborted by SIGINT and SIGTERM. Given to each process of the campaign, which then ends. */
export const stopping = stop.signal;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    signalled ??= signal;
    stop.abort();
  });
}

/** The exit code of a process that the signal ended, or 0. */
export function exitCode(): number {
  return signalled === undefined ? 0 : 128 + constants.signals[signalled];
}
