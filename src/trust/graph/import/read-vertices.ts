import { FileAppender } from '../files.ts';
import { BadLines, type BadLineReport } from './bad-lines.ts';
import { meter, runsPath, skippedPath, type ImportContext } from './context.ts';
import { labelOf, openInput } from './input.ts';
import { LineBuffer } from './line-buffer.ts';
import { NameRunWriter } from './name-runs.ts';
import { VertexParser } from './vertex-parser.ts';

const VERTEX_FORM = '"id TAB reversed.domain", such as "0<TAB>com.example"';

/** Phase `vertices`: turns the file into sorted runs of names with their ids. */
export async function readVertices(
  context: ImportContext,
): Promise<{ lines: number; runs: number; bad: BadLineReport }> {
  const runs = new NameRunWriter(runsPath(context), context.limits(0).strayBytes);
  const skipped = new FileAppender(skippedPath(context), 64 * 1024);
  const bad = new BadLines(labelOf(context.vertices), VERTEX_FORM, context.badLinesMax);
  const parser = new VertexParser(runs, skipped, bad);
  const lines = new LineBuffer((whole) => parser.push(whole));
  const input = await openInput(context.vertices, context.signal);
  const progress = meter(context, 'vertices', input.total());
  for await (const chunk of input.text) {
    lines.push(chunk);
    progress.total = input.total();
    progress.done = input.read();
    progress.items = parser.lines;
    progress.tick();
  }
  lines.end();
  runs.close();
  skipped.close();
  bad.end(parser.lines);
  progress.items = parser.lines;
  progress.end();
  return { lines: parser.lines, runs: runs.paths.length, bad: bad.report };
}
