import {
  type Cell,
  cells,
  type ModelName,
  modelNames,
  type Outcome,
  type Result,
} from './cells.ts';
import type { Gateway } from './gateway.ts';
import type { Installed } from './install.ts';
import { judge, type Said } from './judge.ts';
import { Leaving } from './leaving.ts';
import { PICTURE } from './picture.ts';
import type { Recorder } from './recorder.ts';
import { stopping } from './stopping.ts';
import type { Upstream } from './upstream/server.ts';

export interface Place {
  gateway: Gateway;
  recorder: Recorder;
  upstream: Upstream;
}

/** A client that hangs is ended after this time for all cells of a model. */
const RUN_MINUTES = 5;
type Line = Said & { begin?: Cell; cell?: Cell; none?: true };

/** Runs a library through all cells on all models. */
export async function tryLibrary(installed: Installed, place: Place): Promise<Result['outcomes']> {
  const outcomes: Result['outcomes'] = {};
  const note = (cell: Cell, model: ModelName, outcome: Outcome) => {
    (outcomes[cell] ??= {})[model] = outcome;
  };
  const all = Object.keys(cells) as Cell[];
  for (const model of modelNames) {
    const rich = all.filter((cell) => cell !== 'funds');
    await runCells(installed, place, { model, cells: rich, key: place.gateway.key, note });
    await runCells(installed, place, { model, cells: ['funds'], key: place.gateway.poorKey, note });
  }
  return outcomes;
}

interface Run {
  model: ModelName;
  cells: Cell[];
  key: string;
  note: (cell: Cell, model: ModelName, outcome: Outcome) => void;
}

async function runCells(
  { folder, command }: Installed,
  { gateway, recorder, upstream }: Place,
  run: Run,
): Promise<void> {
  const { model, key, note } = run;
  const missing = new Set(run.cells);
  const child = Bun.spawn(command, {
    cwd: folder,
    env: environment(folder, { ZASTAVA_KEY: key, MODEL: model, CELLS: run.cells.join(',') }),
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: Bun.file(`${folder}/driver.log`),
    timeout: RUN_MINUTES * 60_000,
    signal: stopping,
  });
  const leaving = new Leaving(gateway, upstream, model);
  for await (const line of linesOf(child.stdout)) {
    if (line.begin) {
      recorder.reset();
      await leaving.begin();
      void child.stdin.write('go\n');
      await child.stdin.flush();
      continue;
    }
    if (!line.cell) continue;
    missing.delete(line.cell);
    if (line.none) {
      note(line.cell, model, { verdict: 'none' });
      continue;
    }
    const left = line.cell === 'abort' ? await leaving.end() : { left: 0, readOnAndCharged: false };
    const { exchanges } = recorder;
    note(
      line.cell,
      model,
      judge(line.cell, line, { exchanges, pictureBytes: PICTURE.length, ...left }),
    );
  }
  const code = await child.exited;
  const log = (await Bun.file(`${folder}/driver.log`).text()).trim().split('\n').at(-1) ?? '';
  for (const cell of missing) {
    note(cell, model, { verdict: 'fails', note: `the driver ended with ${code}: ${log}` });
  }
}

/** Nothing of this machine's own accounts reaches a client, and none may call home. */
export function environment(folder: string, more: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    PNG: PICTURE.toString('base64'),
    DO_NOT_TRACK: '1',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    ...more,
  };
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of output) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('@@ ')) yield JSON.parse(line.slice(3)) as Line;
    }
  }
}
