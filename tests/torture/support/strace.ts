/** strace shows and changes system calls of a running process; only where it is installed and allowed. */
import { spawn, type Subprocess } from 'bun';

/** Containers may forbid it although it is installed. */
export async function straceWorks(): Promise<boolean> {
  if (Bun.which('strace') === null) return false;
  const quiet = { stdout: 'ignore', stderr: 'ignore' } as const;
  return (await spawn(['strace', '-o', '/dev/null', 'true'], quiet).exited) === 0;
}

/** Attached to a process and all its threads. */
export interface Attached {
  /** Detaches; the process continues as before. */
  detach(): Promise<void>;
}

/** @param options which system calls to trace or to inject */
export async function attach(pid: number, options: readonly string[]): Promise<Attached> {
  const strace = spawn(['strace', '-f', ...options, '-p', String(pid)], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  await untilAttached(strace);
  return {
    async detach() {
      strace.kill('SIGINT');
      await strace.exited;
    },
  };
}

async function untilAttached({ stderr }: Subprocess<'ignore', 'ignore', 'pipe'>): Promise<void> {
  const reader = stderr.getReader();
  let text = '';
  while (!text.includes('attached')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`strace did not attach: ${text}`);
    text += new TextDecoder().decode(value);
  }
  // It must not wait until somebody reads the rest.
  void drain(reader);
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
