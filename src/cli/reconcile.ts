import type { Command } from 'commander';
import { reconcile, type ReconcileOptions } from '../chat/index.ts';
import { DomainError, invalidField, messageOf } from '../lib/errors.ts';
import { dayArgument } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { jsonReport, textReport } from './reconcile-report.ts';

const EXIT_DIFFERENT = 1;

interface Options {
  columns?: string;
  provider?: string[];
  model?: string[];
  from?: string;
  to?: string;
}

export function reconcileCommand(program: Command, context: CliContext): void {
  define(
    program,
    'reconcile',
    "compare a provider's usage export (CSV) with our messages; the exit code is 1 when they differ",
    [
      'zastava reconcile openrouter-activity.csv',
      'zastava reconcile usage.csv --provider openai --model gpt-4o-2024-08-06=gpt-4o',
      'zastava reconcile bill.csv --columns "id=Request,prompt_tokens=In+Cached,completion_tokens=Out"',
    ],
  )
    .argument('<file>', 'CSV with a header line')
    .option(
      '--columns <list>',
      'FIELD=COLUMN pairs, for headers that are not known; FIELD=- ignores a field',
    )
    .option(
      '--provider <code...>',
      'whose bill the file is, by our provider codes; absent: as its rows say',
    )
    .option('--model <file=ours...>', 'the name of a model in the file, and ours')
    .option('--from <day>', 'the first day, YYYY-MM-DD; absent: the first in the file', dayArgument)
    .option('--to <day>', 'the last day; absent: the last in the file', dayArgument)
    .addHelpText(
      'after',
      '\nFields: id, date, model, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, requests, cost.',
    )
    .action((file: string, options: Options) => run(context, file, options));
}

async function run(context: CliContext, file: string, options: Options): Promise<void> {
  const { output } = context;
  const { columns, provider: providers = [], model: models = [], from, to } = options;
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidField('--from', 'must not be after --to');
  }
  const terms: ReconcileOptions = { columns, providers, models, from, to };
  await withCore(context, async (core) => {
    await using result = await reconcile(core, textOf(file), terms);
    const { differing, onlyInFile, onlyWithUs, file: exported } = result.totals;
    const isDifferent = differing + onlyInFile + (onlyWithUs ?? 0) + exported.unreadable > 0;
    if (isDifferent) context.exitCode = EXIT_DIFFERENT;
    const pieces = output.json ? jsonReport(result) : textReport(result);
    for await (const piece of pieces) await output.raw(piece);
  });
}

/** Reads a UTF-8 file in pieces. @throws `invalid_request` that says why it can't */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of Bun.file(path).stream())
      yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const why =
      error instanceof TypeError ? 'it is not valid UTF-8: save it as UTF-8' : messageOf(error);
    throw new DomainError('invalid_request', `${path} can't be read: ${why}`);
  }
}
