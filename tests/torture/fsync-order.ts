/**
 * Promise R9, in part: an answer is written only after the database's flush to disk has returned. Shown on
 * the system calls of one quiet send, as strace reports them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, ask, loginAsAdmin } from './client.ts';
import { catalogueFor, startJournalProvider } from './journal-provider.ts';
import { startServer } from './server-process.ts';

export interface FsyncReport {
  /** Flushes that returned between the request and its answer: one for the hold, one for the settle. */
  flushesBeforeAnswer: number;
  /** True when the last of them returned before the answer was written, and none came after. */
  answerAfterFlush: boolean;
  trace: string[];
}

export const straceIsHere = (): boolean => Bun.which('strace') !== null;

/** SQLite only: PostgreSQL flushes in its own processes, and answers COMMIT after that. */
export async function traceOneSend(): Promise<FsyncReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zastava-fsync-'));
  const provider = startJournalProvider(() => 20);
  const catalogue = join(dataDir, 'catalogue.yaml');
  await writeFile(catalogue, catalogueFor(provider.baseUrl));
  const server = await startServer({
    ZASTAVA_DATA_DIR: dataDir,
    ZASTAVA_CATALOGUE: catalogue,
    ZASTAVA_ADMIN_PASSWORD: ADMIN.password,
  });
  try {
    const token = await loginAsAdmin(server.url);
    const { room_id: roomId } = await ask(server.url, token, '/ai/room/', {});
    const body = { room_id: roomId, ai: 101, message: 'warm up', max_output_tokens: 50 };
    await ask(server.url, token, '/ai/send/', body);
    const output = join(dataDir, 'trace.txt');
    const calls = 'fsync,fdatasync,write,writev,send,sendto,sendmsg';
    const strace = Bun.spawn(
      ['strace', '-f', '-s', '64', '-e', `trace=${calls}`, '-o', output, '-p', String(server.pid)],
      { stdout: 'ignore', stderr: 'pipe' },
    );
    await untilAttached(strace.stderr);
    await ask(server.url, token, '/ai/send/', { ...body, message: 'traced' });
    strace.kill('SIGINT');
    await strace.exited;
    return judge((await Bun.file(output).text()).split('\n'));
  } finally {
    await server.stop();
    await provider.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function untilAttached(stderr: ReadableStream<Uint8Array>): Promise<void> {
  let text = '';
  for await (const chunk of stderr) {
    text += new TextDecoder().decode(chunk);
    if (/attached/.test(text)) return;
  }
  throw new Error(`strace did not attach: ${text}`);
}

function judge(lines: string[]): FsyncReport {
  const isFlush = (line: string): boolean =>
    /\b(fsync|fdatasync)\(.*= 0$|\b(fsync|fdatasync) resumed>.*= 0$/.test(line);
  const isAnswer = (line: string): boolean => /"HTTP\/1\.1 200/.test(line);
  const trace = lines.filter((line) => isFlush(line) || isAnswer(line));
  const answer = trace.findIndex(isAnswer);
  const flushes = trace.filter(isFlush);
  return {
    flushesBeforeAnswer: answer < 0 ? 0 : trace.slice(0, answer).filter(isFlush).length,
    answerAfterFlush:
      answer >= 0 && trace.slice(answer).filter(isFlush).length === 0 && flushes.length > 0,
    trace,
  };
}
