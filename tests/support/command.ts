import { runCommandLine } from '../../src/cli/run.ts';
import type { Core } from '../../src/core.ts';

/** Runs the command line in this process, on an open core, without a terminal. The core stays open. */
export async function runCommand(core: Core, words: readonly string[]) {
  const streams = { out: '', err: '' };
  const terminal = {
    interactive: false,
    write: async (text: string) => void (streams.out += text),
    writeError: async (text: string) => void (streams.err += text),
    ask: () => Promise.resolve(''),
    readAll: () => Promise.resolve(''),
  };
  const openCore = () => Promise.resolve({ ...core, close: () => Promise.resolve() });
  // Only root could raise a lowered priority again, and the other tests of this process would keep it.
  const parts = { version: '1', env: {}, terminal, openCore, lowerPriority: () => undefined };
  const code = await runCommandLine(parts, words);
  return { code, ...streams };
}
